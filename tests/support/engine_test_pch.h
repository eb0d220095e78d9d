// SPDX-License-Identifier: GPL-3.0-or-later
// Precompiled for the engine's tests. No file relies on it: each includes what it uses.
#pragma once

#include <QtTest/QtTest>

#include "engine/pch.h"

// SPDX-License-Identifier: GPL-3.0-or-later
// Precompiled for the tests of app/. No file relies on it: each includes what it uses.
#pragma once

#include <QtTest/QtTest>

#include "app/pch.h"

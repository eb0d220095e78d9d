// SPDX-License-Identifier: GPL-3.0-or-later
// What the window and its pages are given: references to the long-lived objects that main() (or a test) owns as locals and
// that outlive the window. GUI thread only.
#pragma once

namespace quarry {

class CacheModel;
class EngineApi;
class EngineProcess;
class EventModel;
class JobModel;
class ModelFeed;
class Settings;
class StatHistory;
class StatModel;
class VmModel;
class VstorageModel;

struct ConsoleContext {
  EngineApi& engine;
  EngineProcess& process;
  Settings& settings;
  StatHistory& history;
  StatModel& stats;
  VstorageModel& vstorages;
  VmModel& vms;
  JobModel& jobs;
  EventModel& events;
  CacheModel& cache;
  ModelFeed& feed;  // keeps the history and the models up to date; last known engine status
};

}  // namespace quarry

// SPDX-License-Identifier: GPL-3.0-or-later
// The one list of which members each message has in JSON: members(visit, value) calls visit("name", member) for each, in order.
// The encoder and the decoder of codec.cpp are two visitors of it, so they cannot disagree.
#pragma once

#include <concepts>
#include <type_traits>

#include "engine/protocol/messages.h"
#include "engine/protocol/stat_messages.h"

namespace quarry::protocol {

template <class T, class Message>
concept Is = std::same_as<std::remove_const_t<T>, Message>;

template <class Visit, Is<Hello> T>
void members(Visit& visit, T& value) {
  visit("protocolMajor", value.protocolMajor);
  visit("protocolMinor", value.protocolMinor);
  visit("engineVersion", value.engineVersion);
}

template <class Visit, Is<Savings> T>
void members(Visit& visit, T& value) {
  visit("logicalBytes", value.logicalBytes);
  visit("zeroBytes", value.zeroBytes);
  visit("duplicateBytes", value.duplicateBytes);
  visit("compressedAwayBytes", value.compressedAwayBytes);
  visit("storedBytes", value.storedBytes);
  visit("landingBytes", value.landingBytes);
  visit("savedRatio", value.savedRatio);
}

template <class Visit, Is<Space> T>
void members(Visit& visit, T& value) {
  visit("diskBytes", value.diskBytes);
  visit("freeBytes", value.freeBytes);
  visit("reserveBytes", value.reserveBytes);
  visit("availableBytes", value.availableBytes);
  visit("storeBytes", value.storeBytes);
}

template <class Visit, Is<EngineStatus> T>
void members(Visit& visit, T& value) {
  visit("engineVersion", value.engineVersion);
  visit("state", value.state);
  visit("reason", value.reason);
  visit("storePath", value.storePath);
  visit("storeId", value.storeId);
  visit("nfsAddress", value.nfsAddress);
  visit("nfsPort", value.nfsPort);
  visit("controlSocket", value.controlSocket);
  visit("startedAt", value.startedAt);
  visit("uptimeSeconds", value.uptimeSeconds);
  visit("hostAddresses", value.hostAddresses);
  visit("vstorageCount", value.vstorageCount);
  visit("vmCount", value.vmCount);
  visit("connectionCount", value.connectionCount);
  visit("space", value.space);
  visit("savings", value.savings);
}

template <class Visit, Is<Policy> T>
void members(Visit& visit, T& value) {
  visit("minAgeSeconds", value.minAgeSeconds);
  visit("minSizeBytes", value.minSizeBytes);
  visit("exclude", value.exclude);
  visit("level", value.level);
}

template <class Visit, Is<VstorageInfo> T>
void members(Visit& visit, T& value) {
  visit("name", value.name);
  visit("writeMode", value.writeMode);
  visit("clients", value.clients);
  visit("squash", value.squash);
  visit("readOnly", value.readOnly);
  visit("quotaBytes", value.quotaBytes);
  visit("createdAt", value.createdAt);
  visit("fileCount", value.fileCount);
  visit("vmCount", value.vmCount);
  visit("mountCount", value.mountCount);
  visit("unprotectedBytes", value.unprotectedBytes);
  visit("savings", value.savings);
  visit("policy", value.policy);
}

template <class Visit, class T>
  requires Is<T, VstorageCreate> || Is<T, VstorageSet>
void members(Visit& visit, T& value) {
  visit("name", value.name);
  visit("writeMode", value.writeMode);
  visit("clients", value.clients);
  visit("squash", value.squash);
  visit("readOnly", value.readOnly);
  visit("quotaBytes", value.quotaBytes);
}

template <class Visit, Is<VstorageRemove> T>
void members(Visit& visit, T& value) {
  visit("name", value.name);
  visit("force", value.force);
}

template <class Visit, Is<VstorageRequest> T>
void members(Visit& visit, T& value) {
  visit("name", value.name);
}

template <class Visit, Is<PolicySet> T>
void members(Visit& visit, T& value) {
  visit("name", value.name);
  visit("minAgeSeconds", value.minAgeSeconds);
  visit("minSizeBytes", value.minSizeBytes);
  visit("exclude", value.exclude);
  visit("level", value.level);
}

template <class Visit, Is<JobStart> T>
void members(Visit& visit, T& value) {
  visit("type", value.type);
  visit("vstorage", value.vstorage);
  visit("vm", value.vm);
  visit("path", value.path);
  visit("minAgeSeconds", value.minAgeSeconds);
}

template <class Visit, Is<JobRequest> T>
void members(Visit& visit, T& value) {
  visit("id", value.id);
}

template <class Visit, Is<JobInfo> T>
void members(Visit& visit, T& value) {
  visit("id", value.id);
  visit("type", value.type);
  visit("state", value.state);
  visit("vstorage", value.vstorage);
  visit("vm", value.vm);
  visit("path", value.path);
  visit("currentFile", value.currentFile);
  visit("startedAt", value.startedAt);
  visit("endedAt", value.endedAt);
  visit("bytesTotal", value.bytesTotal);
  visit("bytesDone", value.bytesDone);
  visit("bytesPerSecond", value.bytesPerSecond);
  visit("secondsLeft", value.secondsLeft);
  visit("secondsTaken", value.secondsTaken);
  visit("filesSeen", value.filesSeen);
  visit("filesSkipped", value.filesSkipped);
  visit("segmentsSkipped", value.segmentsSkipped);
  visit("zeroBytes", value.zeroBytes);
  visit("duplicateBytes", value.duplicateBytes);
  visit("newBytes", value.newBytes);
  visit("storedBytes", value.storedBytes);
  visit("freedBytes", value.freedBytes);
  visit("error", value.error);
  visit("problemCount", value.problemCount);
  visit("notes", value.notes);
}

template <class Visit, Is<VmList> T>
void members(Visit& visit, T& value) {
  visit("vstorage", value.vstorage);
}

template <class Visit, Is<VmShow> T>
void members(Visit& visit, T& value) {
  visit("vstorage", value.vstorage);
  visit("name", value.name);
}

template <class Visit, Is<VmInfo> T>
void members(Visit& visit, T& value) {
  visit("vstorage", value.vstorage);
  visit("name", value.name);
  visit("guest", value.guest);
  visit("diskCount", value.diskCount);
  visit("savings", value.savings);
  visit("readIops", value.readIops);
  visit("writeIops", value.writeIops);
  visit("readBytesPerSecond", value.readBytesPerSecond);
  visit("writeBytesPerSecond", value.writeBytesPerSecond);
  visit("readLatencyUs", value.readLatencyUs);
  visit("writeLatencyUs", value.writeLatencyUs);
  visit("readLatencyP99Us", value.readLatencyP99Us);
  visit("writeLatencyP99Us", value.writeLatencyP99Us);
  visit("ioBytes", value.ioBytes);
  visit("hitRatio", value.hitRatio);
  visit("lastWriteAt", value.lastWriteAt);
}

template <class Visit, Is<VmFile> T>
void members(Visit& visit, T& value) {
  visit("path", value.path);
  visit("fileid", value.fileid);
  visit("savings", value.savings);
  visit("modifiedAt", value.modifiedAt);
}

template <class Visit, Is<VmDetail> T>
void members(Visit& visit, T& value) {
  visit("vm", value.vm);
  visit("files", value.files);
}

template <class Visit, Is<CacheVstorage> T>
void members(Visit& visit, T& value) {
  visit("name", value.name);
  visit("writeMode", value.writeMode);
  visit("hitRatio", value.hitRatio);
  visit("dirtyBytes", value.dirtyBytes);
  visit("unprotectedBytes", value.unprotectedBytes);
  visit("oldestUnprotectedSeconds", value.oldestUnprotectedSeconds);
  visit("absorbedRatio", value.absorbedRatio);
}

template <class Visit, Is<CacheInfo> T>
void members(Visit& visit, T& value) {
  visit("budgetBytes", value.budgetBytes);
  visit("budgetBytesMin", value.budgetBytesMin);
  visit("budgetBytesMax", value.budgetBytesMax);
  visit("machineBytes", value.machineBytes);
  visit("machineAvailableBytes", value.machineAvailableBytes);
  visit("usedBytes", value.usedBytes);
  visit("residentBytes", value.residentBytes);
  visit("readBytes", value.readBytes);
  visit("dirtyBytes", value.dirtyBytes);
  visit("dirtyBytesMax", value.dirtyBytesMax);
  visit("unprotectedBytes", value.unprotectedBytes);
  visit("oldestDirtySeconds", value.oldestDirtySeconds);
  visit("oldestUnprotectedSeconds", value.oldestUnprotectedSeconds);
  visit("journalBytes", value.journalBytes);
  visit("journalUsedBytes", value.journalUsedBytes);
  visit("hitRatio", value.hitRatio);
  visit("readsPerSecond", value.readsPerSecond);
  visit("diskReadsPerSecond", value.diskReadsPerSecond);
  visit("absorbedRatio", value.absorbedRatio);
  visit("evictionCount", value.evictionCount);
  visit("vstorages", value.vstorages);
}

template <class Visit, class T>
  requires Is<T, CacheSizeSet> || Is<T, CacheFlushed>
void members(Visit& visit, T& value) {
  visit("bytes", value.bytes);
}

template <class Visit, Is<CachePoint> T>
void members(Visit& visit, T& value) {
  visit("bytes", value.bytes);
  visit("hitRatio", value.hitRatio);
}

template <class Visit, Is<CacheCurve> T>
void members(Visit& visit, T& value) {
  visit("vstorage", value.vstorage);
  visit("accessCount", value.accessCount);
  visit("points", value.points);
}

template <class Visit, Is<CacheAdvice> T>
void members(Visit& visit, T& value) {
  visit("curves", value.curves);
  visit("budgetBytes", value.budgetBytes);
  visit("diskReadsPerSecond", value.diskReadsPerSecond);
}

template <class Visit, Is<CacheFlush> T>
void members(Visit& visit, T& value) {
  visit("vstorage", value.vstorage);
}

template <class Visit, Is<Event> T>
void members(Visit& visit, T& value) {
  visit("id", value.id);
  visit("at", value.at);
  visit("severity", value.severity);
  visit("subject", value.subject);
  visit("text", value.text);
}

template <class Visit, Is<StatDescription> T>
void members(Visit& visit, T& value) {
  visit("id", value.id);
  visit("unit", value.unit);
  visit("text", value.text);
  visit("maximum", value.maximum);
}

template <class Visit, Is<StatSample> T>
void members(Visit& visit, T& value) {
  visit("unixMs", value.unixMs);
  visit("values", value.values);
}

template <class Visit, Is<StatSubscribe> T>
void members(Visit& visit, T& value) {
  visit("prefixes", value.prefixes);
}

template <class Visit, Is<StatHistoryRequest> T>
void members(Visit& visit, T& value) {
  visit("ids", value.ids);
  visit("spanSeconds", value.spanSeconds);
}

template <class Visit, Is<StatSeries> T>
void members(Visit& visit, T& value) {
  visit("id", value.id);
  visit("firstUnixMs", value.firstUnixMs);
  visit("stepMs", value.stepMs);
  visit("values", value.values);
}

}  // namespace quarry::protocol

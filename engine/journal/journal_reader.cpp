// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/journal/journal_reader.h"

#include <algorithm>

namespace quarry::journal {

namespace {
constexpr uint64_t windowBytes = 16 << 20;
static_assert(windowBytes >= groupBytesMax);
// How far damage may reach and what lies behind it is still found.
constexpr uint64_t damageScanBytes = 64 << 20;
}  // namespace

Task<Result<ReplayEnd>> JournalReader::replay(ReplayVisitor visitor) {
  ReplayEnd end;
  const auto found = co_await readCheckpoint(end);
  if (!found) co_return fail(found.error());
  for (;;) {
    auto step = co_await readGroup(end, visitor, end.nextPosition);
    if (step && *step == Step::Ended && end.nextPosition != 0) step = co_await readGroup(end, visitor, 0);
    if (step && *step == Step::Ended) step = co_await skipDamage(end, visitor);
    if (!step) co_return fail(step.error());
    if (*step == Step::Ended) co_return end;
  }
}

Task<Result<uint64_t>> JournalReader::ringId() {
  ReplayEnd end;
  const auto checkpoint = co_await readCheckpoint(end);
  if (!checkpoint) co_return fail(checkpoint.error());
  co_return end.checkpoint.ringId;
}

Task<Result<void>> JournalReader::readCheckpoint(ReplayEnd& end) {
  AlignedBuffer places(areaOffset);
  const auto count = co_await m_file.readAt(0, places.bytes());
  if (!count) co_return fail(count.error());
  Result<Checkpoint> newest = fail(ErrorCode::Corrupt, "the journal is too short");
  for (uint64_t place = 0; place < 2 && (place + 1) * blockBytes <= *count; ++place) {
    auto checkpoint = parseCheckpoint(places.bytes().subspan(place * blockBytes, blockBytes));
    if (checkpoint ? (!newest || checkpoint->count > newest->count) : !newest) newest = std::move(checkpoint);
  }
  if (!newest) co_return fail(newest.error());
  const auto size = m_file.size();
  if (!size) co_return fail(size.error());
  if (*size < areaOffset + newest->filledBytes) co_return fail(ErrorCode::Corrupt, "the journal file is shorter than it says");
  end.checkpoint = *newest;
  end.nextSequence = newest->sequence;
  end.nextPosition = newest->position;
  m_areaBytes = std::min(newest->areaBytes, alignDown(*size - areaOffset, blockBytes));
  m_ringId = newest->ringId;
  co_return Result<void>();
}

// Up to `bytes` of the area from `position` on; fewer at its end.
Task<Result<Bytes>> JournalReader::window(uint64_t position, uint64_t bytes) {
  bytes = std::min(bytes, m_areaBytes - position);
  if (position < m_from || position + bytes > m_to) {
    if (m_buffer.size() == 0) m_buffer = AlignedBuffer(windowBytes);
    const uint64_t length = std::min(windowBytes, m_areaBytes - position);
    const auto count = co_await m_file.readAt(areaOffset + position, m_buffer.bytes().first(length));
    if (!count) co_return fail(count.error());
    if (*count != length) co_return fail(ErrorCode::Corrupt, "the journal file ends early");
    m_from = position;
    m_to = position + length;
  }
  co_return Bytes(m_buffer.bytes()).subspan(position - m_from, bytes);
}

Task<Result<JournalReader::Step>> JournalReader::readGroup(ReplayEnd& end, const ReplayVisitor& visitor, uint64_t position) {
  auto group = co_await groupAt(position);
  if (!group) co_return fail(group.error());
  if (!*group || (*group)->sequence != end.nextSequence) co_return Step::Ended;
  const uint64_t behind = position + (*group)->bytes;
  if ((*group)->isDamaged()) {
    // Torn, if nothing follows: the last group's writers got no answer.
    const auto isLast = co_await isLastGroup(end.nextSequence, behind);
    if (!isLast) co_return fail(isLast.error());
    if (*isLast) co_return Step::Ended;
    group = co_await groupAt(position);  // looking ahead moved the window
    if (!group) co_return fail(group.error());
  }
  for (const ParsedEntry& parsed : (*group)->entries) (parsed.isDamaged ? visitor.onDamagedEntry : visitor.onEntry)(end.nextSequence, parsed.entry);
  end.groups.push_back({end.nextSequence, position, (*group)->bytes});
  ++end.nextSequence;
  end.nextPosition = behind;
  co_return Step::Went;
}

// The group that begins there; nothing when none does, or its head is damaged.
Task<Result<std::optional<JournalReader::Group>>> JournalReader::groupAt(uint64_t position) {
  std::optional<Group> group;
  if (position >= m_areaBytes) co_return group;
  const auto first = co_await window(position, blockBytes);
  if (!first) co_return fail(first.error());
  const auto shape = parseGroupShape(m_ringId, *first);
  if (!shape || shape->bytes() > m_areaBytes - position) co_return group;
  const auto bytes = co_await window(position, shape->bytes());
  if (!bytes) co_return fail(bytes.error());
  auto entries = parseGroup(m_ringId, *bytes);
  if (entries) group = Group{.sequence = shape->sequence, .bytes = shape->bytes(), .entries = std::move(*entries)};
  co_return group;
}

Task<Result<bool>> JournalReader::isLastGroup(uint64_t sequence, uint64_t behind) {
  for (const uint64_t position : {behind, uint64_t{0}}) {
    const auto next = co_await groupAt(position);
    if (!next) co_return fail(next.error());
    if (*next && (*next)->sequence == sequence + 1) co_return false;
  }
  co_return true;
}

// Looks for a later group behind one that cannot be read: a little ahead, and at the beginning, where the ring goes on.
Task<Result<JournalReader::Step>> JournalReader::skipDamage(ReplayEnd& end, const ReplayVisitor& visitor) {
  for (const uint64_t from : {end.nextPosition, uint64_t{0}}) {
    const uint64_t to = std::min(from + damageScanBytes, m_areaBytes);
    for (uint64_t position = from; position < to; position += blockBytes) {
      const auto first = co_await window(position, blockBytes);
      if (!first) co_return fail(first.error());
      const auto shape = parseGroupShape(m_ringId, *first);
      if (!shape || shape->sequence <= end.nextSequence) continue;
      const auto group = co_await groupAt(position);
      if (!group) co_return fail(group.error());
      if (!*group) continue;
      visitor.onLostGroups(end.nextSequence, (*group)->sequence - 1);
      end.nextSequence = (*group)->sequence;
      end.nextPosition = position;
      co_return Step::Went;
    }
  }
  co_return Step::Ended;
}

}  // namespace quarry::journal

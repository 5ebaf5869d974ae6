#include "storage/logs/partials.h"

#include <algorithm>

namespace storage::logs {

PartialState::Step PartialState::step(const Wrapped& wrapped, std::size_t size, std::size_t at)
{
    Stream& stream = m_streams[wrapped.stream];
    if (stream.isLost) {
        stream.isLost = wrapped.isPartial;
        return Step::Lost;
    }
    if (!stream.isPending) {
        if (!wrapped.isPartial) {
            return Step::Whole;
        }
        stream = {true, false, at, size};
        return Step::Begins;
    }
    stream.size += size;
    if (stream.size > kLongestLine) {
        stream = {false, wrapped.isPartial, 0, 0};
        return Step::TooLong;
    }
    stream.isPending = wrapped.isPartial;
    return wrapped.isPartial ? Step::GoesOn : Step::Ends;
}

std::array<bool, kStreams> PartialState::giveUp(std::size_t at)
{
    std::array<bool, kStreams> given {};
    for (std::size_t i = 0; i < kStreams; ++i) {
        Stream& stream = m_streams[i];
        given[i] = stream.isPending && at - stream.begin > kPatience;
        if (given[i]) {
            stream = {false, true, 0, 0};
        }
    }
    return given;
}

std::array<bool, kStreams> PartialState::giveUpAll()
{
    std::array<bool, kStreams> given {};
    for (std::size_t i = 0; i < kStreams; ++i) {
        given[i] = m_streams[i].isPending;
        if (given[i]) {
            m_streams[i] = {false, true, 0, 0};
        }
    }
    return given;
}

bool PartialState::isPending() const
{
    return std::any_of(m_streams.begin(), m_streams.end(),
                       [](const Stream& stream) { return stream.isPending; });
}

bool PartialState::isIdle() const
{
    return std::none_of(m_streams.begin(), m_streams.end(),
                        [](const Stream& stream) { return stream.isPending || stream.isLost; });
}

namespace {

std::string_view joined(const std::vector<std::string_view>& texts, Arena& arena)
{
    std::size_t size = 0;
    for (const std::string_view text : texts) {
        size += text.size();
    }
    char* const begin = arena.room(size + kPadding);
    char* to = begin;
    for (const std::string_view text : texts) {
        to = std::copy(text.begin(), text.end(), to);
    }
    return arena.keep(begin, size);
}

} // namespace

PartialJoiner::Step PartialJoiner::add(const LinePiece& piece, std::size_t at, Arena& arena,
                                       Wrapped& wrapped)
{
    Pending& pending = m_pending[wrapped.stream];
    const Step step = m_state.step(wrapped, piece.line.size(), at);
    if (step == Step::Begins) {
        pending.pieces.clear();
        pending.texts.clear();
    }
    if (step == Step::Begins || step == Step::GoesOn) {
        pending.pieces.push_back(piece);
        pending.texts.push_back(wrapped.text);
        pending.last = wrapped;
    } else if (step == Step::Ends) {
        pending.texts.push_back(wrapped.text);
        wrapped.text = joined(pending.texts, arena);
    }
    return step;
}

Wrapped PartialJoiner::incomplete(std::size_t stream, Arena& arena) const
{
    Wrapped wrapped = m_pending[stream].last;
    wrapped.text = joined(m_pending[stream].texts, arena);
    return wrapped;
}

void PartialTracker::restart(WrapperRules rules)
{
    m_rules = rules;
    m_state = {};
    m_scratch.arena = &m_arena;
}

/// Bytes up to the last line end at which nothing is pending, with `state` as it is there, and
/// `atEnd` as it is behind all lines.
std::size_t PartialTracker::walk(std::string_view lines, PartialState& state, PartialState& atEnd)
{
    std::size_t taken = 0;
    atEnd = state;
    const char* const begin = lines.data();
    const char* const end = begin + lines.size();
    for (const char* at = begin; at < end;) {
        const char* const stop = findByte(at, end, '\n');
        const std::string_view raw(at, static_cast<std::size_t>(stop - at));
        const std::string_view line = lineText(raw);
        const auto offset = static_cast<std::size_t>(at - begin);
        at = stop + 1;
        if (atEnd.isIdle() && !mayBePartial(line)) {
            taken = static_cast<std::size_t>(at - begin);
            continue;
        }
        atEnd.giveUp(offset);
        Wrapped wrapped;
        if (isTooLong(raw)) {
            atEnd.giveUpAll();
        } else if (unwrap(line, m_rules, m_scratch, wrapped) && wrapped.isPiece()) {
            atEnd.step(wrapped, line.size(), offset);
        }
        m_arena.clear();
        if (!atEnd.isPending()) {
            taken = static_cast<std::size_t>(at - begin);
            state = atEnd;
        }
    }
    return std::min(taken, lines.size());
}

std::size_t PartialTracker::take(std::string_view lines)
{
    PartialState atEnd;
    return m_rules.isWrapped ? walk(lines, m_state, atEnd) : lines.size();
}

void PartialTracker::takeAll(std::string_view lines)
{
    if (m_rules.isWrapped) {
        PartialState atEnd;
        walk(lines, m_state, atEnd);
        atEnd.giveUpAll();
        m_state = atEnd;
    }
}

} // namespace storage::logs

#include "storage/logs/head_lines.h"

#include "storage/log_format.h"

#include <algorithm>

namespace storage::logs {

std::string_view firstLines(std::string_view head)
{
    std::size_t end = 0;
    for (std::size_t found = 0; found < kDetectionLines && end < head.size();) {
        const std::size_t stop = std::min(head.find('\n', end), head.size());
        const std::string_view raw = head.substr(end, stop - end);
        found += isTooLong(raw) || isBlankText(lineText(raw)) ? 0U : 1U;
        end = std::min(stop + 1, head.size());
    }
    return head.substr(0, end);
}

HeadLines::HeadLines(std::string_view head, std::int64_t notAfterNs)
    : m_notAfterNs(notAfterNs)
{
    const std::string_view first = firstLines(head);
    m_bytes.reserve(first.size() + kPadding);
    m_bytes.assign(first);
    m_bytes.append(kPadding, '\0');
    m_scratch.arena = &m_arena;
    for (std::string_view rest(m_bytes.data(), first.size()); !rest.empty();) {
        const std::string_view raw = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(raw.size() + 1, rest.size()));
        const std::string_view text = lineText(raw);
        if (isTooLong(raw)) {
            m_hasLongLine = true;
        } else if (!isBlankText(text)) {
            m_texts.push_back(text);
        }
    }
    settleLineEnds();
    PartialJoiner joiner {PartialState()};
    for (const std::string_view text : m_texts) {
        Wrapped wrapped;
        if (!unwrap(text, {false, m_hasLineEnds}, m_scratch, wrapped)) {
            m_lines.push_back({text, {}});
            continue;
        }
        const auto at = static_cast<std::size_t>(text.data() - m_bytes.data());
        joiner.giveUp(at);
        if (wrapped.isPiece()) {
            const auto step = joiner.add({0, text}, at, m_arena, wrapped);
            if (step != PartialState::Step::Whole && step != PartialState::Step::Ends) {
                continue;
            }
        }
        if (!isBlankText(wrapped.text)) {
            m_lines.push_back({text, innerLines(wrapped, m_scratch)});
        }
    }
}

void HeadLines::settleLineEnds()
{
    bool anyPartial = false;
    for (const std::string_view text : m_texts) {
        Wrapped wrapped;
        if (text.front() == '{' && unwrap(text, {}, m_scratch, wrapped)
            && wrapped.kind == WrapperKind::DockerJson) {
            if (!wrapped.isPartial) {
                return;
            }
            anyPartial = true;
        }
    }
    m_hasLineEnds = !anyPartial;
}

} // namespace storage::logs

#include "storage/logs/plain_row.h"

namespace storage::logs {
namespace {

constexpr std::size_t kLongestNil = 1; // "-"

} // namespace

PlainRow::PlainRow(const RowPattern& pattern, const RecordLayout& layout, const Rules& rules)
    : m_pattern(&pattern)
    , m_decimals(layout.durations.empty() ? kSecondNs : layout.durations.front().unitNs)
    , m_last(rules.last)
    , m_client(layout.client.value_or(kNone))
    , m_status(layout.status.value_or(kNone))
    , m_user(rules.user.value_or(kNone))
    , m_stamp(layout.stamps.front().field)
    , m_duration(layout.durations.empty() ? kNone : layout.durations.front().field)
    , m_isStart(layout.stamps.front().isStart)
    , m_mustFit(rules.mustFit)
{
}

std::optional<PlainRow> PlainRow::make(const RowPattern& pattern, const RecordLayout& layout,
                                       const Rules& rules)
{
    const std::size_t count = pattern.plainCount();
    const auto isCut
        = [count](const std::optional<std::size_t>& field) { return field.value_or(0) < count; };
    const bool isSimple = !layout.stamps.empty() && layout.sum.empty() && !layout.start
        && !layout.clientIsList && layout.rules.nil.size() <= kLongestNil
        && layout.rules.escape != Escape::Sharp && !rules.mayBeOther;
    if (!isSimple || rules.last >= count || layout.lastRequired >= count || !isCut(layout.client)
        || !isCut(layout.status) || !isCut(rules.user) || !isCut(layout.stamps.front().field)) {
        return std::nullopt;
    }
    if (!layout.durations.empty()) {
        const auto& duration = layout.durations.front();
        const bool isCounted = duration.unitNs > 0 && duration.unitNs <= kSecondNs;
        if (!isCounted || !isCut(duration.field)) {
            return std::nullopt;
        }
    }
    return PlainRow(pattern, layout, rules);
}

} // namespace storage::logs

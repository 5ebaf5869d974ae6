#include "app/console/author/lab_words.h"

#include "app/console/frame/values.h"
#include "app/workbench/condition_tables.h"
#include "app/workbench/figures_text.h"

namespace app::console {

namespace {

using Figures = std::vector<LabFigures::Figure>;

QString countOf(std::int64_t number)
{
    return countText(static_cast<std::uint64_t>(number));
}

void addSpans(const LabResult& result, Figures& figures)
{
    const QString span = words(result.worst.name);
    const bool isSlots = result.worst.lengthNs == 0;
    figures.push_back(
        {std::nullopt, isSlots ? QStringLiteral("At first") : QStringLiteral("First %1").arg(span),
         QStringLiteral("%1 of %2").arg(countText(result.firstSpan), countOf(result.worst.most))});
    figures.push_back(
        {std::nullopt,
         isSlots ? QStringLiteral("Most in flight") : QStringLiteral("Worst rolling %1").arg(span),
         countText(result.rollingSpan)});
}

/// "Most in 1 min 1,000: 10 times"; the limit is drawn.
void addMost(const LabMost& most, Figures& figures)
{
    const QString name = most.periodNs == 0
        ? QStringLiteral("Most in flight")
        : QStringLiteral("Most in %1").arg(words(durationText(most.periodNs)));
    QString value = countOf(most.admitted);
    if (most.limit > 0) {
        value += QStringLiteral(": %1 times").arg(words(timesText(most.admitted, most.limit)));
    }
    figures.push_back({std::nullopt, name, value});
}

} // namespace

Figures figuresOf(const LabResult& result, const LabConditions& conditions)
{
    Figures figures {{Mark::Offered, QStringLiteral("Offered"), countText(result.offered)}};
    if (conditions.clients) {
        figures.push_back({Mark::Delayed, QStringLiteral("Attempts"),
                           QStringLiteral("%1: %2 each")
                               .arg(countText(result.attempts),
                                    words(timesText(static_cast<std::int64_t>(result.attempts),
                                                    static_cast<std::int64_t>(result.offered))))});
    }
    figures.push_back({Mark::Admitted, QStringLiteral("Admitted"), countText(result.admitted)});
    figures.push_back({Mark::Rejected, QStringLiteral("Rejected"), countText(result.rejected)});
    if (conditions.areUsual()) {
        addSpans(result, figures);
    }
    if (result.most) {
        addMost(*result.most, figures);
    }
    return figures;
}

QString noteOf(LabPattern pattern, const LabTraffic& traffic, const LabResult& result,
               const LabConditions& conditions)
{
    if (conditions.clients) {
        return plural(result.gaveUp, QStringLiteral("request was"), QStringLiteral("requests were"))
            + QStringLiteral(" given up");
    }
    if (traffic.secondAtNs == 0 || !conditions.areUsual()) {
        return {};
    }
    const QString later = countText(result.admittedLater);
    const QString half = countText(static_cast<std::uint64_t>(traffic.requests.size() / 2));
    return pattern == LabPattern::Twice
        ? QStringLiteral("%1 of the second %2 admitted").arg(later, half)
        : QStringLiteral("%1 of %2 admitted behind the edge").arg(later, half);
}

QString captionOf(const BusiestKey& busiest)
{
    QStringList key;
    for (const std::string& value : busiest.key) {
        key << shown(value, 60);
    }
    return QStringLiteral("%1, the busiest of %2; %3")
        .arg(key.isEmpty() ? QStringLiteral("all together") : key.join(QStringLiteral(", ")),
             plural(busiest.keys, QStringLiteral("key"), QStringLiteral("keys")),
             busiest.requests > kLabMost
                 ? QStringLiteral("its first 1,000,000 requests")
                 : plural(busiest.requests, QStringLiteral("request"), QStringLiteral("requests")));
}

} // namespace app::console

#include "app/console/suggest/curve_tables.h"

#include "app/console/frame/values.h"
#include "policies/rates.h"

#include <algorithm>
#include <map>

namespace app::console {

namespace {

std::string remarkOf(const RuleCurve& curve, std::size_t at)
{
    const CurvePoint& point = curve.points[at];
    if (point.isNow) {
        return "in the policy now";
    }
    if (curve.suggested && curve.suggested->limit == point.limit) {
        return curve.toStop > 0 || curve.toProtect > 0 ? "suggested by what stop and protect say"
                                                       : "suggested: few keys lie above it";
    }
    const bool isFirstFree = point.requests == 0 && at > 0 && curve.points[at - 1].requests > 0;
    return isFirstFree ? "nobody is rejected" : std::string();
}

/// "minute" for 60 s, "10min" for ten of them.
QString periodWords(std::int64_t ns)
{
    const QString text = words(policies::textOfDuration(ns));
    static const std::map<QString, QString> kOnes {
        {QStringLiteral("1s"), QStringLiteral("second")},
        {QStringLiteral("1min"), QStringLiteral("minute")},
        {QStringLiteral("1h"), QStringLiteral("hour")},
        {QStringLiteral("1day"), QStringLiteral("day")}};
    const auto one = kOnes.find(text);
    return one == kOnes.end() ? text : one->second;
}

/// "960 per minute" for 960/min, "50 in flight".
QString limitWords(const RuleCurve& curve, const CurvePoint& point)
{
    return curve.field == "rate"
        ? QStringLiteral("%1 per %2")
              .arg(countText(static_cast<std::uint64_t>(point.limit)), periodWords(curve.periodNs))
        : QStringLiteral("%1 in flight").arg(countText(static_cast<std::uint64_t>(point.limit)));
}

} // namespace

FigureTable candidatesTable(const RuleCurve& curve)
{
    FigureTable table {"candidates",
                       "Candidates",
                       {{"limit", curve.field == "rate" ? "Limit" : "In flight"},
                        {"rejected", "Requests rejected"},
                        {"", "Share"},
                        {"keys", "Keys hit"},
                        {"", "Share of keys"},
                        {"remark", "", TextTable::Align::Left}}};
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const CurvePoint& point = curve.points[i];
        table.add({Cell::words(point.value), Cell::number(point.requests),
                   Cell::share(point.requests, curve.requests), Cell::number(point.keys),
                   curve.keys ? Cell::share(point.keys, *curve.keys) : Cell {},
                   Cell::words(remarkOf(curve, i))},
                  point.requests > 0);
    }
    return table;
}

FigureTable peaksTable(const RuleCurve& curve)
{
    FigureTable table {
        "peaks", "Peaks per key", {{"share", "Of the keys", TextTable::Align::Left}}};
    for (const KeyPeaks& peak : curve.peaks) {
        const std::string window = policies::textOfDuration(peak.windowNs);
        table.columns.push_back(
            {"in_" + window, "Peak in " + lengthText(peak.windowNs).toStdString()});
    }
    const auto add = [&](const char* name, std::uint32_t NeedShares::*share) {
        std::vector<Cell> cells {Cell::words(name)};
        for (const KeyPeaks& peak : curve.peaks) {
            cells.push_back(Cell::number(peak.keys.*share));
        }
        table.add(std::move(cells));
    };
    add("p50", &NeedShares::p50);
    add("p90", &NeedShares::p90);
    add("p99", &NeedShares::p99);
    add("p99.9", &NeedShares::p999);
    add("max", &NeedShares::most);
    return table;
}

QString pointSentence(const RuleCurve& curve, const CurvePoint& point)
{
    const QString at = limitWords(curve, point);
    if (point.requests == 0) {
        return QStringLiteral("At %1, none of %2 would be rejected.")
            .arg(at, plural(curve.requests, QStringLiteral("request"), QStringLiteral("requests")));
    }
    return QStringLiteral("At %1, %2 of %3 requests (%4) of %5 would be rejected.")
        .arg(at, countText(point.requests), countText(curve.requests),
             shareText(point.requests, curve.requests),
             plural(point.keys, words(curve.countedBy), words(curve.countedBy)));
}

QString restOfSentence(const RuleCurve& curve, const CurvePoint& point)
{
    QStringList parts;
    const auto now = std::find_if(curve.points.begin(), curve.points.end(),
                                  [](const CurvePoint& one) { return one.isNow; });
    if (now != curve.points.end() && now->limit != point.limit) {
        parts << QStringLiteral("Now, at %1: %2 (%3) of %4 %5.")
                     .arg(limitWords(curve, *now), countText(now->requests),
                          shareText(now->requests, curve.requests), countText(now->keys),
                          words(curve.countedBy));
    }
    parts << QStringLiteral("The rule is judged by itself here: in a run, other rules may reject "
                            "some of these requests first.");
    if (!curve.points.empty() && curve.points.back().requests > 0) {
        parts << QStringLiteral("Even %1, the greatest limit tried, rejects some.")
                     .arg(limitWords(curve, curve.points.back()));
    }
    if (!curve.tightenedBy.empty()) {
        parts << QStringLiteral("Rule %1 tightens it as in a run, and rejects nobody here.")
                     .arg(shown(curve.tightenedBy, 40));
    }
    if (curve.without > 0) {
        parts << QStringLiteral("%1 match but have no key: the rule touches none of them.")
                     .arg(plural(curve.without, QStringLiteral("request"),
                                 QStringLiteral("requests")));
    }
    if (curve.toStop > 0 || curve.toProtect > 0) {
        parts << QStringLiteral("To stop: %1, to protect: %2.")
                     .arg(plural(curve.toStop, QStringLiteral("request"),
                                 QStringLiteral("requests")),
                          countText(curve.toProtect));
        if (!curve.isSuggestedKnown) {
            parts << QStringLiteral("What stop and protect ask for is worked out for fixed windows "
                                    "and sliding logs that nothing tightens.");
        } else if (!curve.suggested) {
            parts << QStringLiteral("No limit stops those without hitting what is protected.");
        } else if (curve.suggested->limit == point.limit) {
            parts << QStringLiteral("This limit rejects %1 of those to stop, and %2 of %3 that are "
                                    "protected.")
                         .arg(countText(curve.suggested->stopped),
                              countText(curve.suggested->protectedRequests),
                              countText(curve.suggested->customers));
        }
    }
    return parts.join(QStringLiteral("\n\n"));
}

} // namespace app::console

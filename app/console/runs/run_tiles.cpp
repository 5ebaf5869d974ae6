#include "app/console/runs/run_tiles.h"

#include "app/console/frame/tile.h"
#include "app/console/frame/values.h"
#include "app/workbench/rule_name.h"

#include <QHBoxLayout>
#include <QResizeEvent>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kGap = 8;
constexpr int kNarrow = 1'000; ///< below this width the last tiles give way
constexpr std::size_t kFingerprint = 6; ///< characters that tell policies apart

/// "7.5 per second on average" of requests over the seconds in which they came.
QString rateText(const storage::RunTotals& totals)
{
    const auto [first, last] = secondsOf(totals);
    if (last <= first) {
        return {};
    }
    const std::uint64_t all = totals.requests + totals.warmup;
    const std::uint64_t tenths = (all * 10 + static_cast<std::uint64_t>(last - first) / 2)
        / static_cast<std::uint64_t>(last - first);
    return QStringLiteral("%1.%2 per second on average")
        .arg(countText(tenths / 10))
        .arg(tenths % 10);
}

/// Of one rule its median; of several only the greatest is known of all together.
QString delayText(const storage::RunDetail& run)
{
    std::vector<const storage::RuleTotals*> rules;
    for (const storage::RuleTotals& rule : run.rules) {
        if (rule.delays.count > 0) {
            rules.push_back(&rule);
        }
    }
    if (rules.empty()) {
        return QStringLiteral("no rule held one back");
    }
    std::int64_t most = 0;
    for (const storage::RuleTotals* const rule : rules) {
        most = std::max(most, rule->delays.maximumNs);
    }
    return rules.size() == 1
        ? QStringLiteral("median %1, most %2")
              .arg(lengthText(rules.front()->delays.p50Ns), lengthText(most))
        : QStringLiteral("by %1 rules, most %2").arg(rules.size()).arg(lengthText(most));
}

std::pair<std::uint64_t, std::uint64_t> keysHit(const storage::RunDetail& run)
{
    std::pair<std::uint64_t, std::uint64_t> keys {0, 0};
    for (const storage::RuleTotals& rule : run.rules) {
        if (rule.mode == engine::Mode::Enforce) {
            keys.first += rule.keysDenied;
            keys.second += rule.keys;
        }
    }
    return keys;
}

QString skippedText(const storage::RunDetail& run)
{
    QStringList parts;
    for (const storage::RuleTotals& rule : run.rules) {
        for (const storage::SkipTotal& skip : rule.skips) {
            parts << QStringLiteral("%1 without %2 were not judged by %3")
                         .arg(plural(skip.count, QStringLiteral("request"),
                                     QStringLiteral("requests")),
                              shown(skip.attribute, 60), shown(fullName(rule), 60));
        }
    }
    constexpr qsizetype kMost = 3;
    if (parts.size() > kMost) {
        const qsizetype more = parts.size() - kMost;
        parts = parts.first(kMost);
        parts << QStringLiteral("and %1 more (column Skipped)").arg(more);
    }
    return parts.join(QStringLiteral("; "));
}

QString stateText(const storage::RunSummary& run)
{
    switch (run.state) {
    case storage::RunState::Interrupted:
        return QStringLiteral("The run was interrupted: it covers the first %1 of its log")
            .arg(
                plural(run.totals.requests, QStringLiteral("request"), QStringLiteral("requests")));
    case storage::RunState::Failed:
        return QStringLiteral("The run failed: ") + shown(run.failure);
    case storage::RunState::Running:
        return QStringLiteral("The run is still being written: there are no figures yet");
    case storage::RunState::Complete:
        break;
    }
    return run.partial ? QStringLiteral("The log has a damaged end: what could be read is counted")
                       : QString();
}

} // namespace

RunTiles::RunTiles(QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(kGap);
    const auto add = [this](const QString& name, std::optional<Mark> mark) {
        auto* const tile = new Tile(name, mark, this);
        const auto which = static_cast<Which>(m_tiles.size());
        connect(tile, &Tile::asked, this, [this, which] { Q_EMIT asked(which); });
        m_tiles.push_back(tile);
        m_row->addWidget(tile, 1);
    };
    add(QStringLiteral("Requests"), Mark::Offered);
    add(QStringLiteral("Admitted"), Mark::Admitted);
    add(QStringLiteral("Rejected"), Mark::Rejected);
    add(QStringLiteral("Would be rejected"), Mark::Shadow);
    add(QStringLiteral("Delayed"), Mark::Delayed);
    add(QStringLiteral("Keys hit"), std::nullopt);
    add(QStringLiteral("Worst second"), std::nullopt);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RunTiles::setRun(const storage::RunDetail& run)
{
    const storage::RunTotals& totals = run.summary.totals;
    const auto [hit, keys] = keysHit(run);
    tile(Requests).setFigure(countText(totals.requests), rateText(totals));
    const QString exempt = totals.exempt == 0
        ? QString()
        : QStringLiteral(", %1 exempt").arg(countText(totals.exempt));
    tile(Admitted).setFigure(countText(totals.admitted),
                             shareText(totals.admitted, totals.requests) + exempt);
    tile(Rejected).setFigure(countText(totals.rejected),
                             shareText(totals.rejected, totals.requests)
                                 + QStringLiteral(" of requests"),
                             totals.rejected > 0);
    tile(WouldBeRejected)
        .setFigure(countText(totals.wouldReject), QStringLiteral("by shadow rules"),
                   totals.wouldReject > 0);
    tile(Delayed).setFigure(countText(totals.delayed), delayText(run), totals.delayed > 0);
    tile(KeysHit).setFigure(countText(hit),
                            QStringLiteral("of %1 rule and key pairs").arg(countText(keys)));
    tile(WorstSecondOf).setFigure(QString(), QStringLiteral("being counted"));
}

void RunTiles::setWorstSecond(const std::optional<WorstSecond>& worst)
{
    if (!worst) {
        tile(WorstSecondOf).setFigure(QStringLiteral("none"), QStringLiteral("nothing rejected"));
        return;
    }
    tile(WorstSecondOf)
        .setFigure(QStringLiteral("%1 rejected").arg(countText(worst->rejected)),
                   QStringLiteral("%1, of %2 requests")
                       .arg(momentText(worst->second * kNs, TimeForm::Second),
                            countText(worst->requests)));
}

/// In order of worth; the last ones give way, the tables have them too.
void RunTiles::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool isNarrow = event->size().width() < kNarrow;
    tile(Delayed).setVisible(!isNarrow);
}

QString limitsOf(const storage::RunDetail& run)
{
    QStringList parts;
    if (const QString state = stateText(run.summary); !state.isEmpty()) {
        parts << state;
    }
    if (run.recording && run.recording->badLines > 0) {
        parts << QStringLiteral("%1 not read")
                     .arg(plural(run.recording->badLines, QStringLiteral("line was"),
                                 QStringLiteral("lines were")));
    }
    if (run.summary.totals.warmup > 0) {
        parts << QStringLiteral("%1 of the warm-up are in no figure")
                     .arg(plural(run.summary.totals.warmup, QStringLiteral("request"),
                                 QStringLiteral("requests")));
    }
    if (run.summary.totals.late > 0) {
        parts << QStringLiteral(
                     "%1 came later than the horizon and were decided at the clock's time")
                     .arg(plural(run.summary.totals.late, QStringLiteral("request"),
                                 QStringLiteral("requests")));
    }
    if (const QString skipped = skippedText(run); !skipped.isEmpty()) {
        parts << skipped;
    }
    std::uint64_t leftOut = 0;
    for (const storage::RuleTotals& rule : run.rules) {
        leftOut += rule.keysLeftOut;
    }
    if (leftOut > 0) {
        parts << QStringLiteral("%1 denied keys are counted without a row").arg(countText(leftOut));
    }
    return parts.isEmpty() ? QString() : parts.join(QStringLiteral("; ")) + QLatin1Char('.');
}

QString titleOf(const storage::RunSummary& run)
{
    return QStringLiteral("Run %1: %2").arg(run.id).arg(shown(run.name, 120));
}

QString captionOf(const storage::RunSummary& run)
{
    return QStringLiteral("%1 %2 on %3, %4 %5 %6")
        .arg(shown(run.policyName, 60),
             shown(std::string_view(run.policyFingerprint).substr(0, kFingerprint)),
             fileNames(run.source, 120), momentText(run.startedNs, TimeForm::Date),
             momentText(run.startedNs, TimeForm::Minute), zoneName());
}

} // namespace app::console

#include "app/console/charts/legend.h"
#include "app/console/charts/ticks.h"
#include "app/console/charts/time_chart.h"
#include "app/console/compare/changes_model.h"
#include "app/console/compare/compare_page.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/tile.h"
#include "app/console/frame/two_panels.h"
#include "app/console/frame/values.h"
#include "app/console/session/session.h"
#include "app/workbench/compare_tables.h"

#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace app::console {

namespace {

constexpr std::size_t kMostRows = 1'000; ///< by path and by who
const QString kSame = QStringLiteral("same");

/// "+921 (+1.6 %)".
QString changeText(std::uint64_t base, std::uint64_t candidate)
{
    const bool isMore = candidate >= base;
    const std::uint64_t change = isMore ? candidate - base : base - candidate;
    const QString sign = isMore ? QStringLiteral("+") : QString(QChar(0x2212));
    const QString count = sign + countText(change);
    return base == 0 || change == 0
        ? count
        : QStringLiteral("%1 (%2%3)").arg(count, sign, shareText(change, base, 1));
}

} // namespace

/// Titles that leave the room to the values.
void shorten(FigureTable& table)
{
    for (FigureTable::Column& column : table.columns) {
        for (const auto& [from, to] : {std::pair {"newly rejected", "Newly rej."},
                                       std::pair {"newly admitted", "Newly adm."},
                                       std::pair {"still rejected", "Still rej."},
                                       std::pair {"still admitted", "Still adm."}}) {
            column.title = column.title == from ? to : column.title;
        }
    }
}

namespace {

QString whosText(std::uint64_t count, const QString& who)
{
    return QStringLiteral("%1 %2").arg(countText(count), who);
}

/// Under which conditions the sides were decided, where not both under the usual ones.
QString conditionsOf(const ComparedRuns& sides)
{
    if (!sides.base) {
        return asIfOf(sides.candidateAsIf, QStringLiteral("Candidate"));
    }
    if (sides.baseAsIf == sides.candidateAsIf) {
        return asIfOf(sides.candidateAsIf, QStringLiteral("Both"));
    }
    const auto said = [](const std::vector<std::string>& conditions, const QString& who) {
        return conditions.empty() ? who + QStringLiteral(" under the usual conditions")
                                  : asIfOf(conditions, who);
    };
    return said(sides.baseAsIf, QStringLiteral("Base")) + QLatin1Char('\n')
        + said(sides.candidateAsIf, QStringLiteral("Candidate"));
}

} // namespace

void ComparePage::show(std::shared_ptr<const ComparedRuns> compared)
{
    m_compared = std::move(compared);
    const ComparedRuns& sides = *m_compared;
    banners().clear(QStringLiteral("problem"));
    const storage::RunSummary* const run = session().run(sides.candidate);
    head().setCaption(run == nullptr
                          ? QString()
                          : QStringLiteral("%1, %2").arg(
                              fileNames(run->source, 100),
                              plural(sides.detail.outcome.comparison->totals().total(),
                                     QStringLiteral("request"), QStringLiteral("requests"))));
    m_asIf->setText(conditionsOf(sides));
    m_asIf->setVisible(!m_asIf->text().isEmpty());
    showTiles(sides);
    const QString base = sides.base ? QStringLiteral("base, run %1").arg(*sides.base)
                                    : QStringLiteral("base, recorded");
    const QString candidate = QStringLiteral("candidate, run %1").arg(sides.candidate);
    m_legend->setEntries({{base, Mark::Offered, Dash::Short}, {candidate, Mark::Rejected}});
    m_chart->setLimits(static_cast<double>(wholeMinutes(sides.first, false)),
                       static_cast<double>(wholeMinutes(sides.last, true)));
    m_chart->setData(rejectedBands(sides, base, candidate));
    m_chartPanel->setCaption(QStringLiteral("linked axes, ") + zoneName());
    showTables(sides);
    if (std::exchange(m_isNew, false) && isVisible()) {
        m_changes[ByRule]->setFocus();
    }
    if (sides.detail.outcome.skipped > 0) {
        banners().show({QStringLiteral("skipped"),
                        BannerKind::Advice,
                        QStringLiteral("%1 take no part: one side has them in its warm-up, or the "
                                       "log does not say what production did.")
                            .arg(plural(sides.detail.outcome.skipped, QStringLiteral("request"),
                                        QStringLiteral("requests"))),
                        {}});
    }
    session().say(QStringLiteral("Compared in %1").arg(lengthText(sides.milliseconds * 1'000'000)));
    Q_EMIT actionsChanged();
}

QString ComparePage::asIfText() const
{
    return m_asIf->isHidden() ? QString() : m_asIf->text();
}

void ComparePage::showTiles(const ComparedRuns& compared)
{
    using engine::Change;
    const engine::Comparison& comparison = *compared.detail.outcome.comparison;
    const engine::ChangeCounts& totals = comparison.totals();
    const std::uint64_t all = totals.total();
    const QString who = shown(compared.detail.outcome.who, 40);
    const auto changed = [&](Change change) {
        return QStringLiteral("%1, %2 of requests")
            .arg(whosText(distinctWho(comparison, change), who), shareText(totals[change], all));
    };
    m_tiles[0]->setFigure(countText(totals[Change::NewlyRejected]), changed(Change::NewlyRejected),
                          totals[Change::NewlyRejected] > 0);
    m_tiles[1]->setFigure(countText(totals[Change::NewlyAdmitted]), changed(Change::NewlyAdmitted),
                          totals[Change::NewlyAdmitted] > 0);
    m_tiles[2]->setFigure(countText(totals[Change::StillRejected]),
                          compared.base ? QStringLiteral("%1 of them by another rule")
                                              .arg(countText(compared.detail.byAnotherRule))
                                        : shareText(totals[Change::StillRejected], all)
                                  + QStringLiteral(" of requests"));
    m_tiles[3]->setFigure(countText(totals[Change::StillAdmitted]),
                          shareText(totals[Change::StillAdmitted], all)
                              + QStringLiteral(" of requests"));
    const std::uint64_t before = totals[Change::NewlyAdmitted] + totals[Change::StillRejected];
    const std::uint64_t after = totals[Change::NewlyRejected] + totals[Change::StillRejected];
    m_tiles[4]->setFigure(QStringLiteral("%1 \u2192 %2").arg(countText(before), countText(after)),
                          changeText(before, after));
    banners().clear(kSame);
    if (totals[Change::NewlyRejected] + totals[Change::NewlyAdmitted] == 0) {
        banners().show({kSame,
                        BannerKind::Done,
                        QStringLiteral("No decision differs. %1 rejected in both.")
                            .arg(plural(totals[Change::StillRejected], QStringLiteral("request is"),
                                        QStringLiteral("requests are"))),
                        {}});
    }
}

void ComparePage::showTables(const ComparedRuns& compared)
{
    m_rules->setCompared(m_compared);
    m_changes[ByRule]->fitColumns(0);
    const std::vector<std::string> noFacets;
    const KeyNames names(compared.secrets);
    for (Tab tab : {ByWho, ByPath, ByAttribute}) {
        m_others.at(static_cast<std::size_t>(tab))->setTable({});
    }
    for (FigureTable& table :
         compareTables(compared.detail.outcome, {noFacets, kMostRows, names})) {
        const Tab tab = table.id == "who" ? ByWho : table.id == "path" ? ByPath : ByRule;
        if (tab != ByRule) {
            shorten(table);
            m_others.at(static_cast<std::size_t>(tab))->setTable(std::move(table));
            m_changes.at(static_cast<std::size_t>(tab))->fitColumns(0);
        }
    }
    m_others[OfPolicy]->setTable(compared.policy);
    m_others[OfConditions]->setTable(compared.conditions);
    for (const Tab tab : {OfPolicy, OfConditions}) {
        m_changes.at(static_cast<std::size_t>(tab))->fitColumns(0);
    }
    m_tabs->setTabVisible(OfPolicy, !compared.policy.columns.empty());
    m_tabs->setTabVisible(OfConditions, !compared.conditions.rows.empty());
    m_tabs->setTabText(ByWho, QStringLiteral("By ") + shown(compared.detail.outcome.who, 20));
    m_newlyPanel->setTitle(QStringLiteral("Newly rejected ")
                           + shown(compared.detail.outcome.who, 40));
    const QSignalBlocker quiet(m_filter);
    m_filter->clear();
    m_newlyModel->setCompared(m_compared);
    m_newly->horizontalHeader()->setSortIndicator(NewlyRejectedModel::Requests,
                                                  Qt::DescendingOrder);
    m_newly->fitColumns(NewlyRejectedModel::Who);
    m_attribute->clear();
    for (const std::string& attribute : compared.attributes) {
        m_attribute->addItem(shown(attribute, 60));
    }
    if (m_tabs->currentIndex() == ByAttribute) {
        readAttribute();
    }
}

void ComparePage::showNewlyCaption()
{
    const auto rows = static_cast<std::uint64_t>(m_newlyModel->rowCount());
    QString text = QStringLiteral("none");
    if (rows > 0) {
        const int first = std::max(m_newly->rowAt(0), 0);
        const int below = m_newly->rowAt(m_newly->viewport()->height() - 1);
        const int last = below < 0 ? static_cast<int>(rows) - 1 : below;
        text = QStringLiteral("%1\u2013%2 of %3")
                   .arg(countText(static_cast<std::uint64_t>(first) + 1),
                        countText(static_cast<std::uint64_t>(last) + 1), countText(rows));
    }
    if (!m_filter->text().isEmpty()) {
        text += QStringLiteral(", filtered from ") + countText(m_newlyModel->all());
    }
    m_newlyPanel->setCaption(text);
}

/// No figure stays while others are worked out: half of them would be of other sides.
void ComparePage::clearFigures()
{
    m_compared.reset();
    banners().clearAll();
    m_asIf->clear();
    m_asIf->hide();
    for (Tile* const tile : m_tiles) {
        tile->setFigure(QString(), QString());
    }
    m_rules->setCompared(nullptr);
    m_newlyModel->setCompared(nullptr);
    for (FigureModel* const other : m_others) {
        if (other != nullptr) {
            other->setTable({});
        }
    }
    m_chart->setData({});
    Q_EMIT actionsChanged();
}

void ComparePage::showEmpty(const QString& why)
{
    m_comparer.stop();
    m_cancel->hide();
    m_empty->setText(why);
    head().setCaption(QString());
    m_stack->setCurrentIndex(0);
}

QString ComparePage::tilesText() const
{
    QStringList lines;
    for (const Tile* const tile : m_tiles) {
        lines << tile->plainText();
    }
    return lines.join(QLatin1Char('\n'));
}

/// Escape clears the filter, then goes back to the list.
bool ComparePage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == m_newly) {
        showNewlyCaption();
    }
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape && !m_filter->text().isEmpty()) {
            m_filter->clear();
            return true;
        }
        const bool leaves = key == Qt::Key_Escape || key == Qt::Key_Down || key == Qt::Key_Return;
        if (watched == m_filter && leaves) {
            m_newly->setFocus();
            return true;
        }
    }
    return Page::eventFilter(watched, event);
}

} // namespace app::console

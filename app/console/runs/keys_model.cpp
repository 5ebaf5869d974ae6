#include "app/console/runs/keys_model.h"

#include "app/console/frame/values.h"
#include "app/console/runs/rules_model.h"
#include "app/workbench/rule_name.h"

#include <algorithm>
#include <utility>

namespace app::console {

namespace {

constexpr std::size_t kMostPages = 40; ///< that are kept

std::vector<ShownColumn> columns()
{
    return {{QStringLiteral("Rule"), false},
            {QStringLiteral("Key"), false},
            {QStringLiteral("Judged")},
            {QStringLiteral("Denied")},
            {QStringLiteral("Share"), true, QStringLiteral("denied of judged")},
            {QStringLiteral("Worst minute"), true,
             QStringLiteral("most of its requests that the rule rejected in a minute")},
            {QStringLiteral("First at"), true, QStringLiteral("its first rejected request")}};
}

/// A key as it may be shown: its values, credentials under other names.
std::string shownKey(const RunOverview& run, std::uint32_t rule,
                     const std::vector<std::string>& values)
{
    if (rule >= run.detail.rules.size()) {
        return {};
    }
    const std::vector<std::string>& attributes = run.detail.rules[rule].key;
    const std::vector<std::string_view> views(values.begin(), values.end());
    return attributes.size() == views.size() ? joinedKey(run.secrets.shown(attributes, views))
                                             : std::string();
}

std::string ruleName(const RunOverview& run, std::uint32_t rule)
{
    return rule < run.detail.rules.size() ? fullName(run.detail.rules[rule]) : std::string();
}

bool isShadow(const RunOverview& run, std::uint32_t rule)
{
    return rule < run.detail.rules.size() && run.detail.rules[rule].mode == engine::Mode::Shadow;
}

/// Rules whose keys have a credential in them.
std::vector<std::uint32_t> veiled(const RunOverview& run)
{
    std::vector<std::uint32_t> rules;
    for (const storage::RuleTotals& rule : run.detail.rules) {
        if (std::any_of(rule.key.begin(), rule.key.end(),
                        [&](const std::string& attribute) { return run.secrets.has(attribute); })) {
            rules.push_back(rule.index);
        }
    }
    return rules;
}

FigureTable emptyTable()
{
    using Align = TextTable::Align;
    return {"keys",
            "Keys of rules",
            {{"rule", "Rule", Align::Left},
             {"key", "Key", Align::Left},
             {"judged", "Judged"},
             {"denied", "Denied"},
             {"", "Share"},
             {"worst_minute", "Worst minute", Align::Left},
             {"worst_minute_rejected", "Rejected in it"},
             {"first_at", "First at", Align::Left}}};
}

void addRow(FigureTable& table, std::vector<Cell> cells, const KeyMoment* moment)
{
    const bool isKnown = moment != nullptr && moment->worst.count > 0;
    cells.push_back(isKnown ? Cell::time(moment->worst.second * kNs) : Cell {});
    cells.push_back(isKnown ? Cell::number(moment->worst.count) : Cell {});
    cells.push_back(isKnown ? Cell::time(moment->firstNs) : Cell {});
    table.add(std::move(cells), true);
}

} // namespace

KeysModel::KeysModel(QObject* parent)
    : CellModel(columns(), parent)
{
}

void KeysModel::setRun(const std::string& store, std::shared_ptr<const RunOverview> run)
{
    m_orderer.stop();
    m_reader.stop();
    beginResetModel();
    m_store = store;
    m_run = std::move(run);
    m_choice = {};
    m_moments.reset();
    m_range.reset();
    m_ofRange.clear();
    m_places.clear();
    m_pages.clear();
    m_unfiltered.reset();
    m_wanted.reset();
    endResetModel();
    Q_EMIT orderChanged();
}

storage::KeyQuery KeysModel::query() const
{
    storage::KeyQuery query;
    query.filter = m_choice.filter.toStdString();
    query.descending = m_choice.descending;
    query.veiled = veiled(*m_run);
    if (m_choice.rule) {
        query.rules = {*m_choice.rule};
    } else {
        for (const storage::RuleTotals& rule : m_run->detail.rules) {
            if (rule.mode == engine::Mode::Enforce) {
                query.rules.push_back(rule.index);
            }
        }
    }
    return query;
}

void KeysModel::choose(const KeyChoice& choice)
{
    m_choice = choice;
    if (!m_run) {
        return;
    }
    if (m_range) {
        showRange();
        return;
    }
    using Places = engine::Result<std::vector<storage::KeyPlace>>;
    m_orderer.start(
        [store = m_store, run = m_run->detail.summary.id, query = query(), column = choice.column,
         moments = m_moments](const StopFlag&) {
            return readKeyPlaces(store, run, query, column, moments.get());
        },
        [this](Places places) {
            if (!places) {
                Q_EMIT failed(places.error());
                return;
            }
            m_reader.stop();
            beginResetModel();
            m_places = std::move(*places);
            m_pages.clear();
            m_wanted.reset();
            endResetModel();
            if (m_choice.filter.isEmpty()) {
                m_unfiltered = m_places.size();
            }
            Q_EMIT orderChanged();
        });
}

void KeysModel::setMoments(std::shared_ptr<const KeyMoments> moments)
{
    m_moments = std::move(moments);
    if (rowCount() > 0) {
        Q_EMIT dataChanged(index(0, static_cast<int>(KeyColumn::WorstMinute)),
                           index(rowCount() - 1, static_cast<int>(KeyColumn::FirstAt)));
    }
}

void KeysModel::setRange(std::shared_ptr<const RangeView> range)
{
    m_range = std::move(range);
    if (m_range) {
        m_orderer.stop();
    }
    choose(m_choice);
}

/// The range's keys are in memory: those of the rule, with the filter, most rejected first.
void KeysModel::showRange()
{
    beginResetModel();
    m_ofRange.clear();
    const QString filter = m_choice.filter;
    std::size_t all = 0;
    for (const PeriodView::Key& key : m_range->view.keys) {
        if (m_choice.rule && key.rule != *m_choice.rule) {
            continue;
        }
        ++all;
        const std::string text = shownKey(*m_run, key.rule, key.values);
        const bool fits = filter.isEmpty()
            || shown(text, SIZE_MAX).contains(filter, Qt::CaseInsensitive)
            || shown(ruleName(*m_run, key.rule)).contains(filter, Qt::CaseInsensitive);
        if (fits) {
            m_ofRange.push_back({key.rule, key.id, text, 0, key.rejected});
        }
    }
    m_unfiltered = all;
    endResetModel();
    Q_EMIT orderChanged();
}

int KeysModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_range ? m_ofRange.size() : m_places.size());
}

void KeysModel::sort(int column, Qt::SortOrder order)
{
    KeyChoice choice = m_choice;
    choice.column = static_cast<KeyColumn>(std::clamp(column, 0, columnCount() - 1));
    choice.descending = order == Qt::DescendingOrder;
    choose(choice);
}

const KeysModel::Row* KeysModel::rowAt(std::size_t row) const
{
    if (m_range) {
        return row < m_ofRange.size() ? &m_ofRange[row] : nullptr;
    }
    const auto page = m_pages.find(row / kPage);
    if (page == m_pages.end()) {
        ask(row / kPage);
        return nullptr;
    }
    return row % kPage < page->second.size() ? &page->second[row % kPage] : nullptr;
}

/// One page at a time: the one that was looked at last is read next.
void KeysModel::ask(std::size_t page) const
{
    auto* const self = const_cast<KeysModel*>(this); // data() is const, reading is not seen outside
    if (std::exchange(self->m_wanted, page) != page) {
        QMetaObject::invokeMethod(
            self, [self] { self->readNext(); }, Qt::QueuedConnection);
    }
}

void KeysModel::readNext()
{
    if (m_reader.isBusy() || !m_wanted || m_pages.contains(*m_wanted) || m_range) {
        return;
    }
    const std::size_t page = *m_wanted;
    const std::size_t first = page * kPage;
    if (first >= m_places.size()) {
        return;
    }
    const std::size_t count = std::min(kPage, m_places.size() - first);
    const auto begin = m_places.begin() + static_cast<std::ptrdiff_t>(first);
    m_reader.start([store = m_store, run = m_run->detail.summary.id,
                    places = std::vector<storage::KeyPlace>(
                        begin, begin + static_cast<std::ptrdiff_t>(count))](
                       const StopFlag&) { return readKeys(store, run, places); },
                   [this, page](const engine::Result<std::vector<storage::KeyRow>>& rows) {
                       take(page, rows);
                   });
}

void KeysModel::take(std::size_t page, const engine::Result<std::vector<storage::KeyRow>>& rows)
{
    if (!rows) {
        m_wanted.reset();
        Q_EMIT failed(rows.error());
        return;
    }
    if (m_pages.size() >= kMostPages) {
        m_pages.clear(); // what is looked at comes back at once
    }
    Page& read = m_pages[page];
    for (const storage::KeyRow& row : *rows) {
        read.push_back(
            {row.rule, row.id, shownKey(*m_run, row.rule, row.values), row.judged, row.denied});
    }
    const auto first = static_cast<int>(page * kPage);
    const int last = std::min(first + static_cast<int>(kPage), rowCount()) - 1;
    if (last >= first) {
        Q_EMIT dataChanged(index(first, 0), index(last, columnCount() - 1));
    }
    readNext();
}

ShownCell KeysModel::momentCell(const Row& row, int column) const
{
    const KeyMoment* const moment = m_range ? m_range->moments.at(row.rule, row.id)
        : m_moments                         ? m_moments->at(row.rule, row.id)
                                            : nullptr;
    ShownCell cell;
    if (moment == nullptr) {
        cell.tip = m_moments || m_range ? QStringLiteral("not recorded")
                                        : QStringLiteral("being counted");
        return cell;
    }
    cell.text = column == static_cast<int>(KeyColumn::FirstAt)
        ? momentText(moment->firstNs, TimeForm::Second)
        : worstMinuteText(moment->worst);
    cell.tip = column == static_cast<int>(KeyColumn::FirstAt)
        ? momentText(moment->firstNs, TimeForm::Full)
        : QString();
    return cell;
}

ShownCell KeysModel::cellAt(std::size_t place, int column) const
{
    const Row* const row = rowAt(place);
    if (row == nullptr) {
        return {};
    }
    switch (static_cast<KeyColumn>(column)) {
    case KeyColumn::Rule: {
        ShownCell cell = valueCell(ruleName(*m_run, row->rule));
        cell.isValue = false;
        return cell;
    }
    case KeyColumn::Key:
        if (row->key.empty()) {
            ShownCell cell;
            cell.text = QStringLiteral("one bucket for all");
            cell.ink = Ink::Second;
            return cell;
        }
        return valueCell(row->key);
    case KeyColumn::Judged:
        return m_range ? notRecorded() : countCell(row->judged);
    case KeyColumn::Denied:
        return countCell(row->denied, isShadow(*m_run, row->rule) ? Ink::Shadow : Ink::Rejected);
    case KeyColumn::Share:
        return m_range ? notRecorded() : shareCell(row->denied, row->judged, 1);
    case KeyColumn::WorstMinute:
    case KeyColumn::FirstAt:
        return momentCell(*row, column);
    }
    return {};
}

std::optional<KeysModel::Named> KeysModel::namedAt(int row) const
{
    const Row* const found = row < 0 ? nullptr : rowAt(static_cast<std::size_t>(row));
    if (found == nullptr) {
        return std::nullopt;
    }
    return Named {ruleName(*m_run, found->rule), found->key};
}

std::function<engine::Result<FigureTable>()> KeysModel::wholeTable() const
{
    if (m_range) {
        return [rows = m_ofRange, run = m_run, range = m_range]() -> engine::Result<FigureTable> {
            FigureTable table = emptyTable();
            for (const Row& row : rows) {
                addRow(table,
                       {Cell::value(ruleName(*run, row.rule)), Cell::value(row.key), Cell {},
                        Cell::number(row.denied), Cell {}},
                       range->moments.at(row.rule, row.id));
            }
            return table;
        };
    }
    return [store = m_store, run = m_run, places = m_places,
            moments = m_moments]() -> engine::Result<FigureTable> {
        const auto rows = readKeys(store, run->detail.summary.id, places);
        if (!rows) {
            return engine::fail(rows.error());
        }
        FigureTable table = emptyTable();
        for (const storage::KeyRow& row : *rows) {
            addRow(table,
                   {Cell::value(ruleName(*run, row.rule)),
                    Cell::value(shownKey(*run, row.rule, row.values)), Cell::number(row.judged),
                    Cell::number(row.denied), Cell::share(row.denied, row.judged)},
                   moments ? moments->at(row.rule, row.id) : nullptr);
        }
        return table;
    };
}

} // namespace app::console

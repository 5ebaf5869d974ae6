#include "app/console/explain/key_view.h"

#include "app/console/explain/customer_panel.h"
#include "app/console/explain/episode_chart.h"
#include "app/console/explain/explain_tables.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/page.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/workbench/key_history_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/rule_text.h"
#include "app/workbench/verdict_text.h"

#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace app::console {

namespace {

constexpr std::size_t kMostOfKey = 60;

QString enoughText(const KeyHistory& history)
{
    const auto found = std::count_if(history.enough.begin(), history.enough.end(),
                                     [](const EnoughField& field) { return !field.value.empty(); });
    QString text;
    if (history.enough.empty() && history.denied > 0) {
        text = QStringLiteral("No number of this rule was looked for that is just enough.");
    }
    if (found > 0) {
        text
            = QStringLiteral("With %1 none of these would have been denied, and with one less some "
                             "would have been: both were replayed.")
                  .arg(found == 1 ? QStringLiteral("the number by itself")
                                  : QStringLiteral("each of the numbers by itself"));
    }
    if (found < static_cast<std::ptrdiff_t>(history.enough.size())) {
        text
            += QStringLiteral(" Where no number is, the greatest that can be counted was replayed, "
                              "and some would have been denied.");
    }
    return text.trimmed();
}

} // namespace

KeyView::KeyView(QWidget* parent)
    : QWidget(parent)
    , m_episodePanel(new Panel(QStringLiteral("Episodes")))
    , m_sentence(plainLabel({}))
    , m_chart(new EpisodeChart)
    , m_episodes(new FigureView(QStringLiteral("Episodes of this key")))
    , m_episodeModel(new FigureModel(this))
    , m_enoughPanel(new Panel(QStringLiteral("What would have been enough")))
    , m_enough(new FigureView(QStringLiteral("What would have been enough")))
    , m_enoughModel(new FigureModel(this))
    , m_enoughText(captionLabel({}))
    , m_customer(new CustomerPanel)
{
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* box = new QVBoxLayout;
    box->setContentsMargins(12, 8, 12, 0);
    m_sentence->setFont(fontOf(Type::Strong));
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("sentence", true);
    box->addWidget(m_sentence);
    layout->addLayout(box);
    m_episodes->setModel(m_episodeModel);
    m_episodes->setSelectionMode(QAbstractItemView::SingleSelection);
    layout->addWidget(m_chart);
    layout->addWidget(m_episodes, 1);
    m_episodePanel->setBody(body);

    auto* enoughBody = new QWidget;
    auto* enoughLayout = new QVBoxLayout(enoughBody);
    enoughLayout->setContentsMargins(0, 0, 0, 8);
    m_enough->setModel(m_enoughModel);
    m_enoughText->setWordWrap(true);
    m_enoughText->setContentsMargins(12, 0, 12, 0);
    enoughLayout->addWidget(m_enough, 1);
    enoughLayout->addWidget(m_enoughText);
    m_enoughPanel->setBody(enoughBody);

    QSplitter* right = splitter(Qt::Vertical, {m_enoughPanel, m_customer});
    QSplitter* across = splitter(Qt::Horizontal, {m_episodePanel, right});
    right->setSizes({260, 520});
    across->setStretchFactor(0, 1);
    across->setSizes({880, 470});
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(across);
    connect(m_chart, &EpisodeChart::chosen, this, [this](int episode) {
        for (int row = 0; row < m_episodeModel->rowCount(); ++row) {
            if (m_episodeModel->rowAt(row) == static_cast<std::size_t>(episode)) {
                m_episodes->setCurrentIndex(m_episodeModel->index(row, 0));
            }
        }
    });
    connect(m_episodes, &FigureView::currentRowChanged, this, [this](int row) {
        m_chart->setCurrent(row < 0 ? -1 : static_cast<int>(m_episodeModel->rowAt(row)));
    });
    connect(m_episodes, &FigureView::rowAsked, this, [this](const QModelIndex& index) {
        const std::size_t row = m_episodeModel->rowAt(index.row());
        Q_EMIT requestAsked(m_history->episodes[row].firstN);
    });
}

void KeyView::setLoading(bool isLoading)
{
    m_episodePanel->setLoading(isLoading);
}

void KeyView::setHistory(std::optional<KeyHistory> history)
{
    m_history = std::move(history);
    setLoading(false);
    refresh();
}

void KeyView::refresh()
{
    if (!m_history) {
        m_sentence->clear();
        m_episodePanel->setCaption({});
        m_chart->setEpisodes({}, 0, 0);
        m_episodeModel->setTable({});
        m_enoughModel->setTable({});
        m_enoughText->clear();
        m_customer->setText({});
        return;
    }
    const KeyHistory& history = *m_history;
    KeyHistory told = history; // a key of 64 KiB would push the figures out of sight
    for (std::string& part : told.key) {
        part = shown(part, kMostOfKey).toStdString();
    }
    const std::string comebacks = comebackSentence(history);
    m_sentence->setText(
        shown(comebacks.empty() ? keySentence(told) : keySentence(told) + " " + comebacks));
    m_episodePanel->setCaption(
        history.episodes.empty()
            ? QStringLiteral("it was never denied")
            : QStringLiteral("%1, Return explains the first request")
                  .arg(plural(history.episodes.size(), QStringLiteral("episode"),
                              QStringLiteral("episodes"))));
    m_chart->setEpisodes(history.episodes, history.firstNs, history.lastNs);
    m_episodeModel->setTable(episodesTable(history));
    m_episodes->fitColumns();
    if (m_episodeModel->rowCount() > 0) {
        m_episodes->setCurrentIndex(m_episodeModel->index(0, 0));
    }
    m_enoughModel->setTable(enoughTable(history));
    m_enough->fitColumns(1);
    m_enoughText->setText(history.enough.empty()
                              ? QStringLiteral("Nothing was denied: the limit is enough.")
                              : enoughText(history));
    m_customer->setText(
        [history](const storage::Zone& zone) { return customerText(history, zone); });
}

QString KeyView::sentenceText() const
{
    return m_sentence->text();
}

QList<QWidget*> KeyView::panes() const
{
    return {m_episodes, m_enough, &m_customer->pane()};
}

} // namespace app::console

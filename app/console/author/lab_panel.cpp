#include "app/console/author/lab_panel.h"

#include "app/console/author/lab_conditions.h"
#include "app/console/author/lab_figures.h"
#include "app/console/author/lab_plot.h"
#include "app/console/author/lab_words.h"
#include "app/console/author/number_edit.h"
#include "app/console/author/span_edit.h"
#include "app/console/frame/button.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/values.h"
#include "app/console/session/document.h"
#include "app/console/session/log_request.h"
#include "policies/limit_words.h"
#include "policies/plan_rule.h"

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace app::console {

namespace {

constexpr int kSoonMs = 50;
constexpr std::array kPatterns {LabPattern::Twice, LabPattern::Boundary, LabPattern::Steady,
                                LabPattern::Spike};

QString capital(QString text)
{
    if (!text.isEmpty()) {
        text[0] = text.at(0).toUpper();
    }
    return text;
}

/// Of the requests that a replay of these options has.
engine::Result<BusiestKey> busiestOf(const engine::Plan& plan,
                                     const std::vector<std::string>& paths,
                                     const GivenOptions& given, const StopFlag& stop)
{
    engine::Result<ReplayRequest> request = logRequest(paths, given, stop);
    if (!request) {
        return engine::fail(request.error());
    }
    request->pass.conditions = {}; // the lab has its own
    return busiestKey(plan, 0, request->pass);
}

} // namespace

LabPanel::LabPanel(PolicyDesk& desk, QWidget* parent)
    : Panel(QStringLiteral("Lab"), parent)
    , m_desk(desk)
    , m_patterns(new QComboBox)
    , m_count(new NumberEdit(QStringLiteral("Lab: how many requests")))
    , m_asIf(plainButton(QStringLiteral("As if")))
    , m_conditions(new LabConditionsRow)
    , m_message(captionLabel({}))
    , m_drawing(new QWidget)
    , m_figures(new LabFigures)
    , m_plot(new LabPlot)
    , m_table(new FigureView(QStringLiteral("Lab chart as a table")))
    , m_tableModel(new FigureModel(this))
    , m_chart(new QStackedLayout)
    , m_soon(new QTimer(this))
{
    build();
    m_soon->setSingleShot(true);
    m_soon->setInterval(kSoonMs);
    connect(m_soon, &QTimer::timeout, this, &LabPanel::start);
    connect(m_patterns, &QComboBox::activated, this, [this] {
        m_isChosen = true;
        choosePattern();
    });
    connect(m_count, &NumberEdit::edited, this, [this] {
        if (const auto count = m_count->number(); count && pattern()) {
            m_counts[*pattern()] = *count;
            refresh();
        }
    });
    connect(m_asIf, &QPushButton::toggled, this, [this](bool isOn) {
        m_conditions->setVisible(isOn);
        refresh();
    });
    connect(m_conditions, &LabConditionsRow::changed, this, &LabPanel::refresh);
    connect(&m_worker, &Worker::busyChanged, this, [this](bool isBusy) {
        if (!isBusy) {
            setLoading(false); // also where it was stopped
        }
    });
    refresh();
}

void LabPanel::build()
{
    nameList(*m_patterns, QStringLiteral("Lab pattern"));
    m_patterns->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_patterns->setMinimumContentsLength(22);
    for (const LabPattern pattern : kPatterns) {
        m_patterns->addItem(QString(), static_cast<int>(pattern));
    }
    m_count->setDigits(5);
    addHeadWidget(m_patterns);
    addTool(m_count);
    m_asIf->setCheckable(true);
    m_asIf->setAccessibleName(QStringLiteral("Lab: as if there were servers and clients"));
    m_asIf->setToolTip(QStringLiteral("On several servers, with clocks that differ, against a "
                                      "client that comes again"));
    addTool(m_asIf);
    m_conditions->hide();
    auto* column = new QVBoxLayout(m_drawing);
    column->setContentsMargins(4, 2, 4, 2);
    column->setSpacing(2);
    column->addWidget(m_figures);
    m_table->setModel(m_tableModel);
    m_chart->addWidget(m_plot);
    m_chart->addWidget(m_table);
    column->addLayout(m_chart, 1);
    m_message->setContentsMargins(12, 10, 12, 10);
    m_message->setAlignment(Qt::AlignTop);
    m_message->setWordWrap(true);
    auto* body = new QWidget;
    auto* both = new QVBoxLayout(body);
    both->setContentsMargins(0, 0, 0, 0);
    both->setSpacing(0);
    both->addWidget(m_conditions);
    both->addWidget(m_message);
    both->addWidget(m_drawing, 1);
    setBody(body);
}

std::optional<LabPattern> LabPanel::pattern() const
{
    const int chosen = m_patterns->currentData().toInt();
    return chosen < 0 ? std::nullopt : std::optional(static_cast<LabPattern>(chosen));
}

LabConditions LabPanel::conditions() const
{
    return m_asIf->isChecked() ? m_conditions->chosen() : LabConditions {};
}

std::optional<engine::PlanRule> LabPanel::planned() const
{
    const policies::Rule* const rule = m_desk.rule(m_rule);
    if (rule == nullptr || !policies::isComplete(*rule)) {
        return std::nullopt;
    }
    auto plan = policies::planRule(*rule);
    return plan ? std::optional(std::move(*plan)) : std::nullopt;
}

void LabPanel::showRule(const std::string& rule)
{
    if (rule != m_rule) {
        m_rule = rule;
        m_counts.clear();
        proposePattern();
    }
    refresh();
}

void LabPanel::refresh()
{
    const policies::Rule* const known = m_desk.rule(m_rule);
    if (known == nullptr) {
        m_worker.stop();
        m_soon->stop();
        say(QStringLiteral("Choose a rule to see it at work."));
        return;
    }
    const auto rule = planned();
    if (!rule || !m_desk.isReadable()) {
        m_worker.stop();
        m_soon->stop();
        if (m_drawing->isHidden()) {
            say(QStringLiteral("Mend the rule to see it at work."));
        }
        m_plot->setStale(true);
        setCaption(QStringLiteral("mend the rule to draw it"));
        return;
    }
    if (const std::string why = whyNoLab(*rule); !why.empty()) {
        m_worker.stop();
        m_soon->stop();
        say(words(why));
        return;
    }
    nameEntries(*rule);
    if (m_drawing->isHidden()) {
        m_message->clear(); // soon there
    }
    m_soon->start();
}

void LabPanel::nameEntries(const engine::PlanRule& rule)
{
    for (int i = 0; i < m_patterns->count(); ++i) {
        const int kind = m_patterns->itemData(i).toInt();
        if (kind < 0) {
            continue;
        }
        const auto one = static_cast<LabPattern>(kind);
        const auto chosen = m_counts.find(one);
        const std::int64_t count
            = chosen == m_counts.end() ? usualCount(one, rule.limit) : chosen->second;
        // The N that a rule began with stays while its numbers are changed: else both would move.
        m_counts.emplace(one, count);
        m_patterns->setItemText(i, capital(words(nameOf(one, count, rule.limit))));
    }
    const auto now = pattern();
    m_count->setVisible(now.has_value());
    if (now) {
        m_count->setRange(1, mostCount(*now));
        m_count->setNumber(m_counts.at(*now));
        const QString cost
            = rule.cost.attribute.empty() ? QString() : QStringLiteral(", each counts 1");
        const QString tight = rule.tighten ? QStringLiteral(", never tightened") : QString();
        setCaption(words(captionOf(*now, rule.limit)) + cost + tight);
    }
}

/// Until somebody chooses: what shows the weak side of this algorithm.
void LabPanel::proposePattern()
{
    const policies::Rule* const rule = m_desk.rule(m_rule);
    if (m_isChosen || rule == nullptr) {
        return;
    }
    const engine::Algorithm algorithm = rule->algorithm.value;
    const bool isWindow = algorithm == engine::Algorithm::FixedWindow
        || algorithm == engine::Algorithm::SlidingWindowCounter
        || algorithm == engine::Algorithm::SlidingWindowLog;
    m_patterns->setCurrentIndex(isWindow ? 1 : 0);
}

void LabPanel::choosePattern()
{
    m_count->clearFocus();
    refresh();
}

void LabPanel::nextPattern()
{
    m_patterns->setCurrentIndex((m_patterns->currentIndex() + 1) % m_patterns->count());
    m_isChosen = true;
    choosePattern();
}

void LabPanel::toggleTable()
{
    m_chart->setCurrentIndex(1 - m_chart->currentIndex());
    m_table->fitColumns();
}

void LabPanel::focusPattern()
{
    m_patterns->setFocus(Qt::ShortcutFocusReason);
}

void LabPanel::setLogs(const QStringList& paths, const GivenOptions& given)
{
    m_logs = paths;
    m_given = given;
    m_logId.clear(); // the same log may be read otherwise
    const int at = m_patterns->findData(-1);
    if (at >= 0) {
        m_patterns->removeItem(at);
    }
    if (!paths.isEmpty()) {
        const QString file = shown(QFileInfo(paths.front()).fileName().toStdString(), 60);
        m_patterns->addItem(QStringLiteral("Busiest key of %1").arg(file), -1);
    }
    refresh();
}

QString LabPanel::figures() const
{
    return m_drawing->isHidden() ? m_message->text() : m_figures->plainText();
}

bool LabPanel::isBusy() const
{
    return m_soon->isActive() || m_worker.isBusy();
}

void LabPanel::say(const QString& message)
{
    m_message->setText(message);
    m_message->show();
    m_drawing->hide();
    m_count->hide();
    setCaption({});
    Q_EMIT drawn();
}

void LabPanel::start()
{
    const auto rule = planned();
    if (!rule) {
        return;
    }
    const auto chosen = pattern();
    if (!chosen) {
        startLog(*rule);
        return;
    }
    const std::int64_t count = m_counts.at(*chosen);
    using Tried = engine::Result<Drawn>;
    m_worker.start(
        [rule = *rule, chosen = *chosen, count,
         conditions = conditions()](const StopFlag& stop) -> Tried {
            LabTraffic traffic = labTraffic(chosen, count, rule);
            auto result = runLab(rule, traffic, conditions, &stop);
            return result ? Tried(Drawn {std::move(traffic), conditions, std::move(*result)})
                          : engine::fail(result.error());
        },
        [this, rule = *rule, chosen = *chosen](const Tried& drawn) {
            if (drawn) {
                draw(rule, *drawn,
                     noteOf(chosen, drawn->traffic, drawn->result, drawn->conditions));
            } else {
                say(failureText(drawn.error()));
            }
        });
}

QString LabPanel::logId(const engine::PlanRule& rule) const
{
    const policies::CardWords card = policies::cardWords(rule);
    return m_logs.join(QLatin1Char('\n')) + words("\n" + card.matches + "\n" + card.key);
}

/// The log is read when it is chosen, or another key or match asks for other requests.
void LabPanel::startLog(const engine::PlanRule& rule)
{
    const auto& checked = m_desk.document().checked();
    if (!checked || !checked->loaded.plan) {
        say(QStringLiteral("Mend the policy to read a log by it."));
        return;
    }
    engine::Plan plan = *checked->loaded.plan;
    plan.rules = {rule};
    const QString id = logId(rule);
    std::optional<BusiestKey> known = id == m_logId ? m_busiest : std::nullopt;
    std::vector<std::string> paths;
    for (const QString& path : m_logs) {
        paths.push_back(path.toStdString());
    }
    setCaption(known ? QString() : QStringLiteral("reading the log"));
    using Read = std::pair<engine::Result<BusiestKey>, engine::Result<LabResult>>;
    const LabConditions conditions = this->conditions();
    m_worker.start(
        [plan, paths, given = m_given, known, conditions](const StopFlag& stop) mutable {
            Read read {known ? engine::Result<BusiestKey>(std::move(*known))
                             : busiestOf(plan, paths, given, stop),
                       LabResult {}};
            if (read.first) {
                read.second = runLab(plan.rules[0], read.first->traffic, conditions, &stop);
            }
            return read;
        },
        [this, rule, id, conditions](const Read& read) {
            if (!read.first || !read.second) {
                say(sentence(read.first ? read.second.error() : read.first.error()));
                return;
            }
            m_busiest = *read.first;
            m_logId = id;
            draw(rule, {m_busiest->traffic, conditions, *read.second}, {});
            setCaption(captionOf(*m_busiest));
        });
    setLoading(!known);
}

void LabPanel::draw(const engine::PlanRule& rule, const Drawn& drawn, const QString& note)
{
    m_message->hide();
    m_drawing->show();
    m_figures->set(figuresOf(drawn.result, drawn.conditions));
    m_plot->show(drawn.result, rule.tier, note);
    m_tableModel->setTable(labTable(drawn.result));
    m_plot->setAccessibleDescription(m_figures->plainText() + QStringLiteral(", ") + note);
    Q_EMIT this->drawn();
}

} // namespace app::console

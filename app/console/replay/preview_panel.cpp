#include "app/console/replay/preview_panel.h"

#include "app/console/frame/button.h"
#include "app/console/frame/empty_state.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/values.h"
#include "app/console/replay/preview_tables.h"
#include "app/console/replay/replay_words.h"

#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>

namespace app::console {

namespace {

QString detectedText(const LogRow& log)
{
    const ReadLog& read = log.preview->log;
    const storage::Detection& detection = read.detection;
    const QString format = formatName(read.format);
    const QString name = shown(log.name(), 80);
    if (read.isTold) {
        return QStringLiteral("%1: read as %2, as told").arg(name, format);
    }
    if (detection.lines == 0) {
        return QStringLiteral("%1: empty").arg(name);
    }
    const QString lines = plural(detection.lines, QStringLiteral("line"), QStringLiteral("lines"));
    return detection.fit == detection.lines
        ? QStringLiteral("%1: detected %2, from %3").arg(name, format, lines)
        : QStringLiteral("%1: detected %2, fits %3 of %4")
              .arg(name, format, countText(detection.fit), lines);
}

/// The figures of the whole log, with the examples of its first lines.
std::vector<LogPreview::Attribute> attributesOf(const LogRow& log)
{
    if (!log.figures) {
        return log.preview->attributes;
    }
    std::vector<LogPreview::Attribute> attributes = log.figures->attributes;
    for (LogPreview::Attribute& attribute : attributes) {
        for (const LogPreview::Attribute& first : log.preview->attributes) {
            if (first.name == attribute.name) {
                attribute.example = first.example;
            }
        }
    }
    return attributes;
}

} // namespace

PreviewPanel::PreviewPanel(QWidget* parent)
    : Panel({}, parent)
    , m_tabs(new QTabBar)
    , m_stack(new QStackedWidget)
    , m_message(new EmptyState({}))
    , m_choose(plainButton(QStringLiteral("Choose the format...")))
    , m_view(new FigureView(QStringLiteral("First requests of the log")))
    , m_model(new FigureModel(this))
{
    m_tabs->setAccessibleName(QStringLiteral("What is shown of the log"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(false);
    m_tabs->addTab(QStringLiteral("First requests"));
    m_tabs->addTab(QStringLiteral("Attributes"));
    addHeadWidget(m_tabs);
    m_message->add(m_choose);
    connect(m_choose, &QPushButton::clicked, this, &PreviewPanel::formatAsked);
    m_view->setModel(m_model);
    m_stack->addWidget(m_message);
    m_stack->addWidget(m_view);
    setBody(m_stack);
    connect(m_tabs, &QTabBar::currentChanged, this, &PreviewPanel::showTab);
    setMessage(QStringLiteral("Choose a log to see what is in it."));
}

void PreviewPanel::setMessage(const QString& text, bool offersFormat)
{
    m_choose->setVisible(offersFormat);
    m_path.clear();
    setCaption({});
    m_message->setText(text);
    m_tabs->setTabText(1, QStringLiteral("Attributes"));
    m_stack->setCurrentIndex(0);
}

void PreviewPanel::setLog(const LogRow* log)
{
    if (log == nullptr) {
        setMessage(QStringLiteral("Choose a log to see what is in it."));
        return;
    }
    if (log->failure) {
        QString text = failureText(*log->failure);
        for (const std::string& line : log->firstLines) {
            text += QLatin1Char('\n') + shown(line, 120);
        }
        setMessage(text, !log->firstLines.empty());
        setCaption(shown(log->name(), 80));
        return;
    }
    if (!log->preview) {
        setCaption(QStringLiteral("%1: reading").arg(shown(log->name(), 80)));
        return; // what was there stays until then
    }
    if (m_path == log->path && m_isWhole == log->figures.has_value()) {
        return;
    }
    const bool isOther = m_path != log->path;
    m_path = log->path;
    m_isWhole = log->figures.has_value();
    setCaption(detectedText(*log));
    const std::vector<LogPreview::Attribute> attributes = attributesOf(*log);
    m_attributes = attributesTable(
        attributes, log->figures ? log->figures->requests : log->preview->log.report.requests);
    m_tabs->setTabText(1, QStringLiteral("Attributes %1").arg(attributes.size()));
    if (isOther) {
        m_first = firstRequestsTable(*log->preview);
    }
    if (isOther || m_tabs->currentIndex() == 1) {
        showTab();
    }
    m_stack->setCurrentIndex(1);
}

void PreviewPanel::showTab()
{
    const bool isFirst = m_tabs->currentIndex() == 0;
    m_view->setAccessibleName(isFirst ? QStringLiteral("First requests of the log")
                                      : QStringLiteral("Attributes of the log"));
    m_model->setTable(isFirst ? m_first : m_attributes);
    m_view->fitColumns();
}

} // namespace app::console

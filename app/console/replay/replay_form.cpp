#include "app/console/replay/replay_form.h"

#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/replay/conditions_form.h"
#include "app/console/replay/form_fields.h"
#include "app/console/replay/log_collection.h"
#include "app/workbench/figures_text.h"
#include "storage/log_format.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStyle>
#include <QTimer>

namespace app::console {

namespace {

constexpr int kReadingDelayMs = 400;

} // namespace

void ReplayForm::addHeading(QFormLayout* layout, const char* text)
{
    QLabel* heading = captionLabel(QString::fromUtf8(text));
    heading->setContentsMargins(0, 8, 0, 0);
    layout->addRow(heading);
}

ReplayForm::ReplayForm(QWidget* parent)
    : QWidget(parent)
    , m_policy(plainLabel({}))
    , m_seed(new QSpinBox)
    , m_conditions(new ConditionsForm)
    , m_readingTimer(new QTimer(this))
{
    auto* layout = new QFormLayout(this);
    arrange(*layout);
    build(layout);
    buildReading(layout);
    m_readingTimer->setSingleShot(true);
    m_readingTimer->setInterval(kReadingDelayMs);
    connect(m_readingTimer, &QTimer::timeout, this, &ReplayForm::readingChanged);
    noteChanges();
}

void ReplayForm::build(QFormLayout* layout)
{
    m_policy->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_policy->setFont(fontOf(Type::Strong));
    layout->addRow(QStringLiteral("Policy"), m_policy);
    m_name = addLine(*layout, "Run name", "name", "", "What the run is called in the list of runs");
    m_from = addLine(
        *layout, "From", "from", "the first request",
        "Only requests that arrive at this time or later: 2026-03-10T12:00:00Z, or a day");
    m_to = addLine(*layout, "To", "to", "the last request",
                   "Only requests that arrive before this time");
    m_where = addLine(*layout, "Only", "where", "every request",
                      "Only requests that match: path=/api/** and not method=OPTIONS");
    m_who = addWritable(*layout, "Who", "who", {QStringLiteral("api_key, user or client_ip")},
                        "The attribute that says who is hit");
    m_spread = addChoice(*layout, "Spread", "spread",
                         {QStringLiteral("evenly in its second"), QStringLiteral("none")},
                         "Where in its second a stamp of whole seconds lies");
    m_reorder = addLine(*layout, "Reorder", "reorder", "any line, read twice if need be",
                        "How late a line may come: 60s");
    m_warmup = addLine(*layout, "Warm-up", "warmup", "none",
                       "Decide the first part of the log, but do not count it: 10min");
    nameField(*m_seed, "Seed", "seed", "Start of everything that is drawn at random");
    m_seed->setRange(0, 2'000'000'000);
    m_seed->setValue(1);
    m_seed->setMaximumWidth(110);
    layout->addRow(QStringLiteral("Seed"), m_seed);
    layout->addRow(m_conditions);
}

void ReplayForm::buildReading(QFormLayout* layout)
{
    addHeading(layout, "How the logs are read");
    QStringList formats {QStringLiteral("found in the log")};
    for (const std::string& name : storage::logFormatNames()) {
        formats << QString::fromStdString(name);
    }
    m_format = addWritable(*layout, "Format", "log-format", formats,
                           "A format's name, or the log_format text of nginx");
    m_zone = addLine(*layout, "Time zone", "tz", "UTC",
                     "Of stamps that name none: Europe/Berlin, +05:30");
    m_map = addLine(*layout, "Fields", "map", "as they are named",
                    "The attribute is this field of the log, commas between: api_key=http_x_key");
    m_proxies = addLine(*layout, "Proxies", "trusted-proxies", "none is trusted",
                        "Whose X-Forwarded-For says who the client is: 10.0.0.0/8");

    addHeading(layout, "What production did");
    m_rejection = addWritable(*layout, "Rejected if", "recorded-rejection",
                              {QStringLiteral("status 429, or the log says so"),
                               QStringLiteral("nginx"), QStringLiteral("nginx-dry-run"),
                               QStringLiteral("envoy"), QStringLiteral("haproxy")},
                              "What says that production rejected a request: a name, or a match");
    m_takePart = addChoice(*layout, "These", "recorded-rejected",
                           {QStringLiteral("take part"), QStringLiteral("are left out")},
                           "Whether what production rejected takes part");
}

void ReplayForm::noteChanges()
{
    for (QLineEdit* const field :
         {m_name, m_from, m_to, m_where, m_reorder, m_warmup, m_zone, m_map, m_proxies}) {
        connect(field, &QLineEdit::textChanged, this, &ReplayForm::changed);
    }
    for (QComboBox* const field : {m_who, m_spread, m_format, m_rejection, m_takePart}) {
        connect(field, &QComboBox::currentTextChanged, this, &ReplayForm::changed);
    }
    connect(m_seed, &QSpinBox::valueChanged, this, &ReplayForm::changed);
    connect(m_conditions, &ConditionsForm::changed, this, &ReplayForm::changed);
    const auto start = [this] { m_readingTimer->start(); };
    connect(m_format, &QComboBox::currentTextChanged, this, start);
    for (QLineEdit* field : {m_zone, m_map, m_proxies}) {
        connect(field, &QLineEdit::textChanged, this, start);
    }
}

GivenOptions ReplayForm::reading() const
{
    GivenOptions given;
    addText(given, "log-format", chosenText(*m_format));
    for (const QString& mapping : m_map->text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        addText(given, "map", mapping);
    }
    addText(given, "tz", m_zone->text());
    addText(given, "trusted-proxies", m_proxies->text());
    return given;
}

GivenOptions ReplayForm::given() const
{
    GivenOptions given = reading();
    addText(given, "from", m_from->text());
    addText(given, "to", m_to->text());
    addText(given, "where", m_where->text());
    addText(given, "who", chosenText(*m_who));
    if (m_spread->isEnabled() && m_spread->currentIndex() == 1) {
        given.add("spread", "none");
    }
    addText(given, "reorder", m_reorder->text());
    addText(given, "warmup", m_warmup->text());
    addText(given, "recorded-rejection", chosenText(*m_rejection));
    if (m_takePart->currentIndex() == 1) {
        given.add("recorded-rejected", "drop");
    }
    const GivenOptions conditions = m_conditions->given();
    for (const storage::Option& option : conditions.inOrder()) {
        given.add(option.name, option.value);
    }
    return given;
}

std::string ReplayForm::runName() const
{
    return m_name->text().trimmed().toStdString();
}

std::uint64_t ReplayForm::seed() const
{
    return static_cast<std::uint64_t>(m_seed->value());
}

void ReplayForm::setPolicy(const QString& name, const QString& runName)
{
    m_policy->setText(name);
    m_policy->setToolTip(name.toHtmlEscaped());
    m_name->setPlaceholderText(runName);
}

void ReplayForm::setLog(const LogRow* log)
{
    const LogFigures* figures = log != nullptr && log->figures ? &*log->figures : nullptr;
    const auto placeholder = [&](const std::optional<std::int64_t>& ns, const char* otherwise) {
        return ns ? QString::fromStdString(rfc3339(secondNs(secondOf(*ns))))
                  : QString::fromLatin1(otherwise);
    };
    m_from->setPlaceholderText(figures == nullptr
                                   ? QStringLiteral("the first request")
                                   : placeholder(figures->firstNs, "the first request"));
    m_to->setPlaceholderText(QStringLiteral("the last request"));
    const bool isFine = figures != nullptr && figures->requests > 0 && figures->coarse == 0;
    m_spread->setEnabled(!isFine);
    m_spread->setItemText(0,
                          isFine ? QStringLiteral("none: stamps are below 1 s")
                                 : QStringLiteral("evenly in its second"));
    if (isFine) {
        m_spread->setCurrentIndex(0);
    }
    QStringList attributes;
    if (log != nullptr && log->preview) {
        for (const LogPreview::Attribute& attribute : log->preview->attributes) {
            attributes << shown(attribute.name, 100);
        }
    }
    setOthers(*m_who, attributes);
    m_conditions->setAttributes(attributes);
}

void ReplayForm::setWrong(const QString& option)
{
    for (QWidget* field : findChildren<QWidget*>()) {
        if (field->objectName().isEmpty() || field->objectName().startsWith(QLatin1String("qt_"))) {
            continue;
        }
        const bool isWrong = !option.isEmpty() && field->objectName() == option;
        if (isWrong && m_conditions->isAncestorOf(field)) {
            m_conditions->setOpen(true);
        }
        if (field->property("wrong").toBool() != isWrong) {
            field->setProperty("wrong", isWrong);
            field->style()->unpolish(field);
            field->style()->polish(field);
        }
    }
}

QWidget* ReplayForm::firstField() const
{
    return m_name;
}

} // namespace app::console

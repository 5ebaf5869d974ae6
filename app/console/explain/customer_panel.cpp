#include "app/console/explain/customer_panel.h"

#include "app/console/frame/values.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTimeZone>

namespace app::console {

CustomerPanel::CustomerPanel(QWidget* parent)
    : Panel(QStringLiteral("For the customer"), parent)
    , m_zone(new QComboBox)
    , m_text(new QPlainTextEdit)
{
    m_zone->setEditable(true);
    m_zone->setAccessibleName(QStringLiteral("Time zone of the customer"));
    m_zone->view()->setAccessibleName(m_zone->accessibleName());
    m_zone->lineEdit()->setAccessibleName(m_zone->accessibleName());
    m_zone->setToolTip(QStringLiteral("In which times are told: Europe/Berlin, +05:30"));
    m_zone->setMinimumContentsLength(12);
    m_zone->addItem(QStringLiteral("UTC"));
    const QString local = QString::fromLatin1(QTimeZone::systemTimeZoneId());
    if (local != QLatin1String("UTC") && !local.isEmpty()) {
        m_zone->addItem(local);
    }
    m_text->setReadOnly(true);
    m_text->setAccessibleName(QStringLiteral("Text for the customer"));
    m_text->setTabChangesFocus(true);
    addTool(m_zone);
    setBody(m_text, true);
    connect(m_zone, &QComboBox::currentTextChanged, this, &CustomerPanel::build);
}

void CustomerPanel::setText(std::function<std::string(const storage::Zone&)> say)
{
    m_say = std::move(say);
    build();
}

void CustomerPanel::build()
{
    setCaption({});
    if (!m_say) {
        m_text->clear();
        return;
    }
    const auto zone = storage::Zone::named(m_zone->currentText().trimmed().toStdString());
    if (!zone) {
        setCaption(sentence(zone.error()));
        return; // what was there stays until the name is whole
    }
    // Each line by itself: line ends are ours, all else may come from the log.
    const std::string text = m_say(**zone);
    QStringList lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines << shown(std::string_view(text).substr(begin, end - begin));
        begin = end + 1;
    }
    m_text->setPlainText(lines.join(QLatin1Char('\n')));
}

QString CustomerPanel::text() const
{
    return m_text->toPlainText();
}

void CustomerPanel::copy() const
{
    QApplication::clipboard()->setText(text() + QLatin1Char('\n'));
}

void CustomerPanel::setZone(const QString& name)
{
    m_zone->setCurrentText(name);
}

QWidget& CustomerPanel::pane() const
{
    return *m_text;
}

} // namespace app::console

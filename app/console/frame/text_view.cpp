#include "app/console/frame/text_view.h"

#include "app/console/frame/values.h"
#include "app/console/frame/yaml_highlighter.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"
#include "app/workbench/text.h"

#include <QSyntaxHighlighter>

namespace app::console {

namespace {

/// Lines of a unified difference: what goes, what comes, where.
class DifferenceColours final : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override
    {
        const Theme& t = theme();
        if (text.startsWith(QLatin1String("---")) || text.startsWith(QLatin1String("+++"))
            || text.startsWith(QLatin1String("@@"))) {
            setFormat(0, static_cast<int>(text.size()), t.text2);
        } else if (text.startsWith(QLatin1Char('-'))) {
            setFormat(0, static_cast<int>(text.size()), t.rejected);
        } else if (text.startsWith(QLatin1Char('+'))) {
            setFormat(0, static_cast<int>(text.size()), t.admitted);
        }
    }
};

/// As visible(), line by line, so that line ends stay.
QString visibleLines(std::string_view bytes, int most, int& leftOut)
{
    QString text;
    int lines = 0;
    leftOut = 0;
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view line = bytes.substr(0, end);
        if (++lines <= most) {
            text += words(visible(line)) + QLatin1Char('\n');
        } else {
            ++leftOut;
        }
        bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    }
    text.chop(1);
    return text;
}

} // namespace

TextView::TextView(const QString& name, Colours colours, QWidget* parent)
    : QPlainTextEdit(parent)
{
    setAccessibleName(name);
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFont(fontOf(Type::Mono));
    if (colours == Colours::Difference) {
        m_highlighter = new DifferenceColours(document());
    } else {
        m_highlighter = new YamlHighlighter(document());
    }
}

void TextView::setBytes(std::string_view bytes)
{
    setPlainText(visibleLines(bytes, kMostLines, m_leftOut));
}

void TextView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_highlighter != nullptr) {
        m_highlighter->rehighlight();
    }
}

} // namespace app::console

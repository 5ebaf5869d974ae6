#include "app/console/author/number_edit.h"

#include <QLineEdit>
#include <QStyle>
#include <QTimer>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kPauseMs = 350;
constexpr int kMostDigits = 19;

} // namespace

NumberEdit::NumberEdit(const QString& name, QWidget* parent)
    : QAbstractSpinBox(parent)
    , m_pause(new QTimer(this))
{
    setAccessibleName(name);
    lineEdit()->setAccessibleName(name);
    lineEdit()->setMaxLength(kMostDigits);
    setKeyboardTracking(true);
    m_pause->setSingleShot(true);
    m_pause->setInterval(kPauseMs);
    connect(lineEdit(), &QLineEdit::textEdited, this, [this] {
        m_isDirty = true;
        m_pause->start();
    });
    connect(m_pause, &QTimer::timeout, this, &NumberEdit::flush);
    connect(this, &QAbstractSpinBox::editingFinished, this, [this] {
        flush();
        if (!number() && !(m_isOptional && isEmpty())) {
            m_isDirty = false;
            setNumber(m_last, lineEdit()->placeholderText());
        }
    });
}

void NumberEdit::setDigits(int digits)
{
    m_digits = digits;
    updateGeometry();
}

void NumberEdit::setRange(std::int64_t least, std::int64_t most)
{
    m_least = least;
    m_most = most;
}

void NumberEdit::setNumber(std::optional<std::int64_t> number, const QString& placeholder)
{
    lineEdit()->setPlaceholderText(placeholder);
    if (m_isDirty) {
        return;
    }
    m_last = number;
    const QString text = number ? QString::number(*number) : QString();
    if (text != lineEdit()->text()) {
        lineEdit()->setText(text);
    }
}

std::optional<std::int64_t> NumberEdit::number() const
{
    bool isNumber = false;
    const qlonglong value = text().toLongLong(&isNumber);
    return isNumber && value >= m_least && value <= m_most ? std::optional<std::int64_t>(value)
                                                           : std::nullopt;
}

void NumberEdit::setWrong(bool isWrong)
{
    markWrong(*this, isWrong);
}

void NumberEdit::stepBy(int steps)
{
    const std::int64_t now = number().value_or(m_last.value_or(m_least));
    const std::int64_t room = steps > 0 ? m_most - now : now - m_least;
    const std::int64_t step
        = std::min<std::int64_t>(std::abs(steps), std::max<std::int64_t>(0, room));
    const std::int64_t next = std::clamp(steps > 0 ? now + step : now - step, m_least, m_most);
    lineEdit()->setText(QString::number(next));
    selectAll();
    m_isDirty = true;
    flush();
}

QValidator::State NumberEdit::validate(QString& input, int&) const
{
    const bool isDigits
        = std::all_of(input.begin(), input.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    return isDigits ? QValidator::Acceptable : QValidator::Invalid;
}

QSize NumberEdit::sizeHint() const
{
    const QSize own = QAbstractSpinBox::sizeHint();
    return {fontMetrics().horizontalAdvance(QLatin1Char('0')) * m_digits + 36, own.height()};
}

QAbstractSpinBox::StepEnabled NumberEdit::stepEnabled() const
{
    const std::int64_t now = number().value_or(m_last.value_or(m_least));
    return (now < m_most ? StepUpEnabled : StepNone) | (now > m_least ? StepDownEnabled : StepNone);
}

void NumberEdit::flush()
{
    m_pause->stop();
    if (!m_isDirty) {
        return;
    }
    const std::optional<std::int64_t> now = number();
    if (!now && !(m_isOptional && isEmpty())) {
        return; // half a number: the next key, or leaving, settles it
    }
    m_isDirty = false;
    if (now != m_last) {
        m_last = now;
        Q_EMIT edited();
    }
}

void markWrong(QWidget& widget, bool isWrong)
{
    if (widget.property("wrong").toBool() != isWrong) {
        widget.setProperty("wrong", isWrong);
        if (qobject_cast<QLineEdit*>(&widget) != nullptr) { // the style sheet's; others are drawn
            widget.style()->unpolish(&widget);
            widget.style()->polish(&widget);
        }
        widget.update();
    }
}

} // namespace app::console

#include "app/console/look/style.h"

#include "app/console/look/theme.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QWidget>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kArrowRoom = 20;
constexpr int kFieldHeight = 26;

bool has(const QStyleOption& option, QStyle::StateFlag flag)
{
    return (option.state & flag) != 0;
}

/// The ground and the edge of a field.
void paintField(QPainter& painter, const QStyleOption& option, const QWidget* widget)
{
    const Theme& t = theme();
    const bool isEnabled = has(option, QStyle::State_Enabled);
    const bool isWrong = widget != nullptr && widget->property("wrong").toBool();
    const bool isFocused = has(option, QStyle::State_HasFocus);
    const double width = isWrong || isFocused ? 2 : 1;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(isWrong          ? t.error
                            : isFocused  ? t.accent
                            : !isEnabled ? t.border
                                         : t.control,
                        width));
    painter.setBrush(isEnabled ? t.base : t.window);
    const double inset = width / 2;
    painter.drawRoundedRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset), 4, 4);
    painter.restore();
}

void paintArrow(QPainter& painter, const QRect& place, bool isUp, bool isEnabled)
{
    const QPointF middle = QRectF(place).center();
    const double rise = isUp ? -1.8 : 1.8;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(isEnabled ? theme().text2 : theme().disabled);
    painter.drawPolygon(QPolygonF({{middle.x() - 3.5, middle.y() - rise},
                                   {middle.x() + 3.5, middle.y() - rise},
                                   {middle.x(), middle.y() + rise}}));
    painter.restore();
}

} // namespace

Style::Style()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                               QPainter* painter, const QWidget* widget) const
{
    const bool isEnabled = has(*option, State_Enabled);
    if (control == CC_ComboBox) {
        paintField(*painter, *option, widget);
        paintArrow(*painter, subControlRect(control, option, SC_ComboBoxArrow, widget), false,
                   isEnabled);
        return;
    }
    if (control == CC_SpinBox) {
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        paintField(*painter, *option, widget);
        if (spin != nullptr && spin->buttonSymbols != QAbstractSpinBox::NoButtons) {
            const bool canUp = (spin->stepEnabled & QAbstractSpinBox::StepUpEnabled) != 0;
            const bool canDown = (spin->stepEnabled & QAbstractSpinBox::StepDownEnabled) != 0;
            paintArrow(*painter, subControlRect(control, option, SC_SpinBoxUp, widget), true,
                       isEnabled && canUp);
            paintArrow(*painter, subControlRect(control, option, SC_SpinBoxDown, widget), false,
                       isEnabled && canDown);
        }
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const
{
    const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    if (element == CE_ComboBoxLabel && combo != nullptr && !combo->editable) {
        const Theme& t = theme();
        const QRect place = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
        painter->setPen(has(*option, State_Enabled) ? t.text : t.disabled);
        painter->drawText(
            place, Qt::AlignLeft | Qt::AlignVCenter,
            option->fontMetrics.elidedText(combo->currentText, Qt::ElideRight, place.width()));
        return;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const
{
    const bool isField = element == PE_PanelLineEdit && widget != nullptr
        && (widget->parentWidget() == nullptr
            || (!widget->parentWidget()->inherits("QAbstractSpinBox")
                && !widget->parentWidget()->inherits("QComboBox")));
    if (isField) {
        paintField(*painter, *option, widget);
        return;
    }
    if (element == PE_PanelLineEdit || element == PE_FrameFocusRect) {
        return; // its spin box or combo box has the edge; focus is a ring
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                            SubControl part, const QWidget* widget) const
{
    const QRect all = option->rect;
    const QRect arrows(all.right() - kArrowRoom + 1, all.top(), kArrowRoom - 2, all.height());
    if (control == CC_ComboBox) {
        switch (part) {
        case SC_ComboBoxArrow:
            return arrows;
        case SC_ComboBoxEditField:
            return all.adjusted(8, 2, -kArrowRoom, -2);
        default:
            break;
        }
    }
    if (control == CC_SpinBox) {
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        const bool hasButtons
            = spin == nullptr || spin->buttonSymbols != QAbstractSpinBox::NoButtons;
        const int half = all.height() / 2;
        switch (part) {
        case SC_SpinBoxUp:
            return arrows.adjusted(0, 3, 0, -half);
        case SC_SpinBoxDown:
            return arrows.adjusted(0, half, 0, -3);
        case SC_SpinBoxEditField:
            return all.adjusted(5, 2, hasButtons ? -kArrowRoom : -5, -2);
        default:
            break;
        }
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    // Room for the ring of the focus, whether it is there or not.
    return metric == PM_DefaultFrameWidth && widget != nullptr && widget->inherits("QLineEdit")
        ? 4
        : QProxyStyle::pixelMetric(metric, option, widget);
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                              const QWidget* widget) const
{
    QSize whole = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_ComboBox) {
        whole.setWidth(size.width() + kArrowRoom + 14);
    }
    if (type == CT_ComboBox || type == CT_SpinBox || type == CT_LineEdit) {
        whole.setHeight(std::max(kFieldHeight, whole.height()));
    }
    return whole;
}

} // namespace app::console

#include "app/console/look/style.h"

#include "app/console/look/theme.h"

#include <QPainter>
#include <QStyleOption>
#include <QWidget>

namespace app::console {

namespace {

constexpr int kHeight = 26;
constexpr int kArrowWidth = 18;

bool isWrong(const QWidget* widget)
{
    return widget != nullptr && widget->property("wrong").toBool();
}

void paintField(QPainter& painter, const QStyleOptionComplex& option, const QWidget* widget)
{
    const Theme& t = theme();
    const bool isEnabled = (option.state & QStyle::State_Enabled) != 0;
    const bool hasFocus
        = (option.state & QStyle::State_HasFocus) != 0 || (widget != nullptr && widget->hasFocus());
    const bool isThick = isEnabled && (hasFocus || isWrong(widget));
    const QColor edge = !isEnabled ? t.border
        : isWrong(widget)          ? t.error
        : hasFocus                 ? t.accent
                                   : t.control;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(edge, isThick ? 2 : 1));
    painter.setBrush(isEnabled ? t.base : t.window);
    const double inset = isThick ? 1 : 0.5;
    painter.drawRoundedRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset), 4, 4);
}

/// A chevron of 7 x 4 in the middle of a place.
void paintArrow(QPainter& painter, const QRect& place, bool isUp, bool isEnabled)
{
    const QPointF middle = QRectF(place).center();
    const double tip = isUp ? -2 : 2;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(isEnabled ? theme().text2 : theme().disabled, 1.4, Qt::SolidLine,
                        Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(QPolygonF {{middle.x() - 3.5, middle.y() - tip},
                                    {middle.x(), middle.y() + tip},
                                    {middle.x() + 3.5, middle.y() - tip}});
}

} // namespace

Style::Style()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                               QPainter* painter, const QWidget* widget) const
{
    const bool isEnabled = (option->state & State_Enabled) != 0;
    if (control == CC_ComboBox) {
        painter->save();
        paintField(*painter, *option, widget);
        paintArrow(*painter, subControlRect(control, option, SC_ComboBoxArrow, widget), false,
                   isEnabled);
        painter->restore();
        return;
    }
    const auto* const spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    if (control != CC_SpinBox || spin == nullptr) {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        return;
    }
    painter->save();
    paintField(*painter, *option, widget);
    if (spin->buttonSymbols != QAbstractSpinBox::NoButtons) {
        paintArrow(*painter, subControlRect(control, option, SC_SpinBoxUp, widget), true,
                   isEnabled && (spin->stepEnabled & QAbstractSpinBox::StepUpEnabled) != 0);
        paintArrow(*painter, subControlRect(control, option, SC_SpinBoxDown, widget), false,
                   isEnabled && (spin->stepEnabled & QAbstractSpinBox::StepDownEnabled) != 0);
    }
    painter->restore();
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                            SubControl subControl, const QWidget* widget) const
{
    const QRect all = option->rect;
    const QRect arrows(all.right() - kArrowWidth - 1, all.top(), kArrowWidth, all.height());
    const auto mirrored
        = [&](const QRect& rect) { return visualRect(option->direction, all, rect); };
    if (control == CC_ComboBox) {
        switch (subControl) {
        case SC_ComboBoxArrow:
            return mirrored(arrows);
        case SC_ComboBoxEditField:
            return mirrored(QRect(all.left() + 7, all.top() + 2, all.width() - kArrowWidth - 9,
                                  all.height() - 4));
        default:
            break;
        }
    }
    const auto* const spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    if (control == CC_SpinBox && spin != nullptr) {
        const bool hasArrows = spin->buttonSymbols != QAbstractSpinBox::NoButtons;
        const int half = all.height() / 2;
        switch (subControl) {
        case SC_SpinBoxUp:
            return hasArrows ? mirrored(arrows.adjusted(0, 3, 0, -half)) : QRect();
        case SC_SpinBoxDown:
            return hasArrows ? mirrored(arrows.adjusted(0, half, 0, -3)) : QRect();
        case SC_SpinBoxEditField:
            return mirrored(all.adjusted(6, 2, hasArrows ? -kArrowWidth - 3 : -6, -2));
        default:
            break;
        }
    }
    return QProxyStyle::subControlRect(control, option, subControl, widget);
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                              const QWidget* widget) const
{
    QSize made = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_ComboBox || type == CT_SpinBox) {
        made.setHeight(std::max(kHeight, option->fontMetrics.height() + 8));
    }
    return made;
}

} // namespace app::console

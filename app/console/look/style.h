#pragma once

#include <QProxyStyle>

namespace app::console {

/// Fusion, with lists and spin boxes that are drawn as the fields of the style sheet: an edge of
/// one pixel, two with the focus or where the value is wrong (property "wrong"), a small arrow.
class Style : public QProxyStyle {
    Q_OBJECT

public:
    Style();

    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                            QPainter* painter, const QWidget* widget) const override;
    [[nodiscard]] QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                       SubControl subControl, const QWidget* widget) const override;
    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option,
                                         const QSize& size, const QWidget* widget) const override;
};

} // namespace app::console

#pragma once

#include "engine/plan.h"

#include <QColor>
#include <QPalette>

class QApplication;

/// Colours, set once. No other file holds one.
namespace app::console {

/// The colours that a QPalette has no place for. Contrast: every ink is at least 4.5:1 on base,
/// window and selection (tests/console/tst_theme computes it); `control` and `disabled` are not for
/// text that must be read. Meaning never rests on colour alone (marks.h).
struct Theme {
    bool isDark = false;

    // Grounds and edges.
    QColor window, base, alt, border, grid, sel, line;
    QColor rejectedGround, admittedGround, shadowGround, adviceGround, errorGround, okGround;
    QColor onAccent;

    // Ink and marks.
    QColor text, text2, disabled, control, accent;
    QColor admitted, rejected, shadow, delayed, offered;
    QColor error, advice, ok;
    QColor edge, gateway, endpoint, tenant;

    // The policy text.
    QColor yamlKey, yamlString, yamlNumber, yamlComment;

    [[nodiscard]] QPalette palette() const;
    bool operator==(const Theme& other) const = default;
};

const Theme& lightTheme();
const Theme& darkTheme();

/// What the user asked for; System follows the desktop's palette.
enum class ThemeChoice { System, Light, Dark };

/// The theme in force. GUI thread.
const Theme& theme();

/// A tier's hue. It never means an outcome.
QColor hueOf(engine::Tier tier);

/// Puts a theme in force: palette and style sheet of the application. Widgets hear of it by
/// QEvent::PaletteChange and ask theme() anew when they paint. A system palette of high contrast
/// (text on base 15:1 or more, pure black or white) is taken as it is.
void applyTheme(QApplication& application, ThemeChoice choice);
ThemeChoice themeChoice();

/// WCAG 2: from 1 to 21.
double contrast(const QColor& a, const QColor& b);

} // namespace app::console

#include "app/console/look/theme.h"

#include "app/console/look/style.h"

#include <QApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace app::console {

namespace {

Theme makeLight()
{
    Theme t;
    t.window = QColor(0xF2F4F7U);
    t.base = QColor(0xFFFFFFU);
    t.alt = QColor(0xF7F8FAU);
    t.border = QColor(0xD5DAE1U);
    t.grid = QColor(0xE6E9EEU);
    t.sel = QColor(0xE6EFFCU);
    t.line = QColor(0xEEF3FBU);
    t.rejectedGround = QColor(0xFCEDE5U);
    t.admittedGround = QColor(0xE4F0F9U);
    t.shadowGround = QColor(0xF5EAF8U);
    t.adviceGround = QColor(0xFAF2DCU);
    t.errorGround = QColor(0xFCE9E8U);
    t.okGround = QColor(0xE5F3EAU);
    t.onAccent = QColor(0xFFFFFFU);
    t.text = QColor(0x1A1F26U);
    t.text2 = QColor(0x525B67U);
    t.disabled = QColor(0x7A838FU);
    t.control = QColor(0x818A97U);
    t.accent = QColor(0x1C5DB8U);
    t.admitted = QColor(0x0B6BAEU);
    t.rejected = QColor(0xBE4000U);
    t.shadow = QColor(0x5E1F7AU);
    t.delayed = QColor(0x5A4300U);
    t.offered = QColor(0x5A6470U);
    t.error = QColor(0xB3201FU);
    t.advice = QColor(0x7D5A00U);
    t.ok = QColor(0x1B6E3CU);
    t.edge = QColor(0x00736CU);
    t.gateway = QColor(0x3F49C0U);
    t.endpoint = QColor(0x686500U);
    t.tenant = QColor(0x7A1250U);
    t.yamlKey = QColor(0x0F5A9CU);
    t.yamlString = QColor(0x1B6E3CU);
    t.yamlNumber = QColor(0x8A3FA3U);
    t.yamlComment = QColor(0x59626DU);
    return t;
}

Theme makeDark()
{
    Theme t;
    t.isDark = true;
    t.window = QColor(0x1A1D22U);
    t.base = QColor(0x21252BU);
    t.alt = QColor(0x262A31U);
    t.border = QColor(0x3B424CU);
    t.grid = QColor(0x2F353DU);
    t.sel = QColor(0x243B5CU);
    t.line = QColor(0x272F3BU);
    t.rejectedGround = QColor(0x40271DU);
    t.admittedGround = QColor(0x1C3547U);
    t.shadowGround = QColor(0x392940U);
    t.adviceGround = QColor(0x3A311AU);
    t.errorGround = QColor(0x43262AU);
    t.okGround = QColor(0x1E3829U);
    t.onAccent = QColor(0x10233FU);
    t.text = QColor(0xE7EAEEU);
    t.text2 = QColor(0xAAB3BEU);
    t.disabled = QColor(0x8A939FU);
    t.control = QColor(0x7C8693U);
    t.accent = QColor(0x84B6FFU);
    t.admitted = QColor(0x5AAEE8U);
    t.rejected = QColor(0xFF8E5EU);
    t.shadow = QColor(0xEBC6F7U);
    t.delayed = QColor(0xF3DC8CU);
    t.offered = QColor(0xAAB3BEU);
    t.error = QColor(0xFF8A84U);
    t.advice = QColor(0xE2B64EU);
    t.ok = QColor(0x6CCB93U);
    t.edge = QColor(0x3FBDB0U);
    t.gateway = QColor(0x98A2F8U);
    t.endpoint = QColor(0xBDBE4EU);
    t.tenant = QColor(0xFFC6E3U);
    t.yamlKey = QColor(0x84B6FFU);
    t.yamlString = QColor(0x7FD1A0U);
    t.yamlNumber = QColor(0xEBC6F7U);
    t.yamlComment = QColor(0xA0AAB6U);
    return t;
}

/// What is in force, and the desktop's own palette as it was before the first theme.
struct InForce {
    Theme theme = makeLight();
    ThemeChoice choice = ThemeChoice::Light;
    QPalette system;
    bool knowsSystem = false;
    bool isApplied = false;
};

InForce& inForce()
{
    static InForce state;
    return state;
}

double luminance(const QColor& colour)
{
    const auto part = [](double value) {
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * part(static_cast<double>(colour.redF()))
        + 0.7152 * part(static_cast<double>(colour.greenF()))
        + 0.0722 * part(static_cast<double>(colour.blueF()));
}

bool isHighContrast(const QPalette& palette)
{
    const QColor base = palette.color(QPalette::Base);
    const bool isPure = base == QColor(Qt::black) || base == QColor(Qt::white);
    const QColor text = palette.color(QPalette::Text);
    const bool isPureText
        = text == QColor(Qt::black) || text == QColor(Qt::white) || text == QColor(Qt::yellow);
    // The usual black on white is no wish for contrast: what tells it apart is a window of the same
    // black or white.
    return isPure && isPureText && contrast(text, base) >= 15
        && palette.color(QPalette::Window) == base;
}

/// The desktop's palette stays where it was made for contrast; the marks come from our table.
Theme highContrast(const QPalette& system)
{
    Theme t = luminance(system.color(QPalette::Base)) < 0.5 ? makeDark() : makeLight();
    t.window = system.color(QPalette::Window);
    t.base = system.color(QPalette::Base);
    t.alt = t.base;
    t.text = system.color(QPalette::Text);
    t.text2 = t.text;
    t.border = t.text;
    t.control = t.text;
    t.sel = system.color(QPalette::Highlight);
    return t;
}

QString name(const QColor& colour)
{
    return colour.name(QColor::HexRgb);
}

/// What a palette cannot say: edges and radii of fields, buttons, headers and menus.
QString styleSheet(const Theme& t)
{
    return QStringLiteral(
               "QToolTip { color: %text; background: %base; border: 1px solid %control;"
               " padding: 3px; }"
               "QPushButton { color: %text; background: %base; border: 1px solid %control;"
               " border-radius: 4px; padding: 0 12px; min-height: 26px; }"
               "QPushButton:hover { background: %alt; }"
               "QPushButton:pressed, QPushButton:checked { background: %sel; border-color: %accent;"
               " }"
               "QPushButton:focus { border: 2px solid %accent; padding: 0 11px; min-height: 24px; }"
               "QPushButton:disabled { color: %disabled; border-color: %border; }"
               "QPushButton[rank=\"primary\"] { color: %onaccent; background: %accent;"
               " border-color: %accent; font-weight: bold; }"
               "QPushButton[rank=\"primary\"]:focus { border: 2px solid %text; }"
               "QPushButton[rank=\"primary\"]:disabled { color: %disabled; background: %window;"
               " border-color: %border; }"
               "QPushButton[rank=\"flat\"] { border-color: transparent; background: transparent; }"
               "QPushButton[rank=\"flat\"]:hover { background: %sel; }"
               "QPushButton[rank=\"flat\"]:focus { border: 2px solid %accent; }"
               "QPushButton[small=\"true\"] { min-height: 22px; padding: 0 10px; }"
               "QPushButton[small=\"true\"]:focus { min-height: 20px; padding: 0 9px; }"
               "QPushButton[segment=\"true\"] { border-radius: 0; }"
               "QPushButton[segment=\"true\"]:checked { font-weight: bold; }"
               "QComboBox QAbstractItemView { color: %text; background: %base;"
               " selection-background-color: %sel; selection-color: %text; }"
               "QHeaderView::section { color: %text2; background: %alt; border: none;"
               " border-bottom: 1px solid %border; padding: 0 8px; height: 24px; }"
               "QTableView, QTreeView, QListView { background: %base; border: none;"
               " selection-background-color: %sel; selection-color: %text; outline: none; }"
               "QTableView:focus, QTreeView:focus { border: 2px solid %accent; }"
               "QPlainTextEdit, QTextEdit { background: %base; border: none;"
               " selection-background-color: %accent; selection-color: %onaccent; }"
               "QMenuBar { background: %window; border-bottom: 1px solid %border; }"
               "QMenuBar::item { padding: 5px 10px; }"
               "QMenuBar::item:selected, QMenu::item:selected { background: %sel; color: %text; }"
               "QMenu { background: %base; border: 1px solid %control; padding: 4px 0; }"
               "QMenu::item { padding: 4px 28px 4px 24px; }"
               "QMenu::item:disabled { color: %disabled; }"
               "QMenu::separator { height: 1px; background: %border; margin: 4px 0; }"
               "QStatusBar { background: %window; border-top: 1px solid %border; color: %text2; }"
               "QStatusBar::item { border: none; }"
               "QToolBar#rail { background: %window; border: none;"
               " border-right: 1px solid %border; padding: 6px 2px; spacing: 4px; }"
               "QToolBar#rail::separator { height: 1px; background: %border; margin: 6px 12px; }"
               "QToolBar#rail QToolButton { color: %text2; border: none; border-radius: 4px;"
               " border-left: 3px solid transparent; padding: 6px 0 5px 0; }"
               "QToolBar#rail QToolButton:hover { background: %alt; }"
               "QToolBar#rail QToolButton:focus { border: 2px solid %accent; }"
               "QToolBar#rail QToolButton:checked { color: %text; background: %sel;"
               " border-left: 3px solid %accent; font-weight: bold; }"
               "QToolBar#rail QToolButton:disabled { color: %disabled; }"
               "QSplitter::handle { background: transparent; }"
               "QTabBar::tab { color: %text2; background: transparent; border: none;"
               " border-bottom: 2px solid transparent; padding: 6px 14px; }"
               "QTabBar::tab:selected { color: %text; font-weight: bold;"
               " border-bottom: 2px solid %accent; }"
               "QTabBar::tab:focus { background: %sel; }"
               "QTabWidget::pane { border: none; }"
               "QScrollArea { border: none; background: transparent; }"
               "QLabel[problem=\"true\"] { color: %error; }"
               "QListView[lane=\"true\"] { background: transparent; }"
               "QScrollBar { background: transparent; border: none; margin: 0; }"
               "QScrollBar:vertical { width: 11px; }"
               "QScrollBar:horizontal { height: 11px; }"
               "QScrollBar::handle { background: %border; border-radius: 3px; margin: 2px; }"
               "QScrollBar::handle:hover { background: %control; }"
               "QScrollBar::handle:vertical { min-height: 24px; }"
               "QScrollBar::handle:horizontal { min-width: 24px; }"
               "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
               "QScrollBar::add-page, QScrollBar::sub-page { background: none; }"
               "QAbstractScrollArea::corner { background: transparent; }"
               "QCheckBox:focus, QRadioButton:focus { background: %sel; }"
               "QLabel[sentence=\"true\"], QFrame[sentence=\"true\"] { background: %line; border: "
               "none;"
               " border-left: 3px solid %accent; padding: 8px 10px; }"
               "QProgressBar { border: none; background: %grid; }"
               "QProgressBar::chunk { background: %accent; }")
        .replace(QLatin1String("%onaccent"), name(t.onAccent))
        .replace(QLatin1String("%text2"), name(t.text2))
        .replace(QLatin1String("%text"), name(t.text))
        .replace(QLatin1String("%base"), name(t.base))
        .replace(QLatin1String("%alt"), name(t.alt))
        .replace(QLatin1String("%window"), name(t.window))
        .replace(QLatin1String("%border"), name(t.border))
        .replace(QLatin1String("%grid"), name(t.grid))
        .replace(QLatin1String("%sel"), name(t.sel))
        .replace(QLatin1String("%line"), name(t.line))
        .replace(QLatin1String("%disabled"), name(t.disabled))
        .replace(QLatin1String("%control"), name(t.control))
        .replace(QLatin1String("%accent"), name(t.accent))
        .replace(QLatin1String("%error"), name(t.error));
}

} // namespace

const Theme& lightTheme()
{
    static const Theme kLight = makeLight();
    return kLight;
}

const Theme& darkTheme()
{
    static const Theme kDark = makeDark();
    return kDark;
}

const Theme& theme()
{
    return inForce().theme;
}

QColor hueOf(engine::Tier tier)
{
    const Theme& t = theme();
    const std::array<QColor, engine::kTierCount> hues {t.edge, t.gateway, t.endpoint, t.tenant};
    return hues.at(static_cast<std::size_t>(tier));
}

ThemeChoice themeChoice()
{
    return inForce().choice;
}

void applyTheme(QApplication& application, ThemeChoice choice)
{
    InForce& state = inForce();
    if (!state.knowsSystem) {
        state.system = QApplication::palette();
        state.knowsSystem = true;
    }
    state.choice = choice;
    const bool systemIsDark = state.system.color(QPalette::Window).lightness() < 128;
    const bool isDark
        = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark);
    Theme chosen = isDark ? darkTheme() : lightTheme();
    if (choice == ThemeChoice::System && isHighContrast(state.system)) {
        chosen = highContrast(state.system);
    }
    if (state.isApplied && chosen == state.theme) {
        return; // a style sheet set again has every widget look up its rules anew
    }
    state.theme = chosen;
    if (!state.isApplied) {
        QApplication::setStyle(new Style); // paints by the theme in force
    }
    state.isApplied = true;
    QApplication::setPalette(state.theme.palette());
    application.setStyleSheet(styleSheet(state.theme));
}

QPalette Theme::palette() const
{
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, base);
    p.setColor(QPalette::AlternateBase, alt);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, text2);
    p.setColor(QPalette::Button, base);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, onAccent);
    p.setColor(QPalette::Highlight, sel);
    p.setColor(QPalette::HighlightedText, text);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::LinkVisited, accent);
    p.setColor(QPalette::ToolTipBase, base);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Mid, border);
    p.setColor(QPalette::Midlight, grid);
    p.setColor(QPalette::Dark, control);
    p.setColor(QPalette::Light, base);
    p.setColor(QPalette::Shadow, control);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        p.setColor(QPalette::Disabled, role, disabled);
    }
    return p;
}

double contrast(const QColor& a, const QColor& b)
{
    const double one = luminance(a);
    const double other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

} // namespace app::console

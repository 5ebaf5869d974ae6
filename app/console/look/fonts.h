#pragma once

#include <QFont>

/// The roles of type, each the desktop's font with so many points more or less; never in pixels.
namespace app::console {

enum class Type {
    Figure, ///< tiles: + 5, bold
    Title, ///< page head: + 1.5, bold
    Body,
    Strong, ///< bold
    Small, ///< captions, table headers: - 0.75
    Axis, ///< axis labels, chips: - 1.5
    Mono ///< YAML, keys, addresses, paths: fixed, - 0.75
};

/// Example: with a desktop font of 10 pt, fontOf(Type::Figure) is bold at 15 pt.
QFont fontOf(Type type);

/// Height of a row of a table: 24, or more where the font asks for it.
int rowHeight();

} // namespace app::console

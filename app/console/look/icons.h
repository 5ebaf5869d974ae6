#pragma once

#include <QIcon>

/// The icons of the rail, drawn by ourselves: lines of 1.5 px in the text's colour.
namespace app::console {

enum class RailIcon { Author, Replay, Runs, Compare, Explain, Suggest, Export };

QIcon iconOf(RailIcon icon);

} // namespace app::console

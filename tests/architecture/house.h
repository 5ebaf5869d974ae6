#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// The house as it stands on disk, and the rules that hold it up (README.md, "Where things are").
namespace tests::architecture {

struct Include {
    std::string path; ///< as written, without quotes or brackets
    bool quoted = false;
    int line = 0;
};

struct Source {
    std::string path; ///< from the root, "engine/replay.h"
    std::vector<Include> includes;
    std::vector<std::string> code; ///< lines without comments and texts
};

/// A CMake target: the folder of its sources and what it links, as CMakeLists.txt says.
struct Target {
    std::string name;
    std::string folder;
    std::vector<std::string> links;
};

struct House {
    std::vector<std::string> files; ///< that git tracks; all files, where there is no git
    std::map<std::string, Source> sources;
    std::map<std::string, std::vector<std::string>> pages; ///< lines of each README.md
    std::vector<Target> targets;
};

/// Reads `files` (paths from `root`): what includes what.
House readHouse(const std::filesystem::path& root, const std::vector<std::string>& files);

/// Reads the list of targets that the build wrote: "name|folder|library;library" a line.
std::vector<Target> readTargets(const std::filesystem::path& list);

/// One sentence for each place that breaks a rule: "engine/a.h:3: engine may not use storage".
using Findings = std::vector<std::string>;

/// engine uses nobody; policies and storage use engine; app uses all three; in app, both faces use
/// the workbench and never each other. By full paths from the root, to files that exist.
Findings checkDirections(const House& house);
/// From outside, only headers that lie directly in a folder. Tests may enter any room.
Findings checkDoors(const House& house);
Findings checkCycles(const House& house);
/// Each library in its folder only, no header that nobody agreed to, none of the network, and in
/// engine none of those that read, write, wait or tell the time.
Findings checkLibraries(const House& house);
/// What checkDirections and checkLibraries say of includes, said of the targets' link libraries.
Findings checkTargets(const House& house);
/// The agreed names at the top, nothing generated, snake_case, a README.md in each folder.
Findings checkFiles(const House& house);
/// A README.md with a table of files (its first column is `files`) names each source of its folder
/// there, without the ending, and nothing that is not there.
Findings checkRooms(const House& house);
/// No `throw`, no floating point in engine, no printing and no exit in libraries.
Findings checkCode(const House& house);

/// Sources over 400 lines and headers over 150, largest first. Tests are left out.
std::vector<std::string> largeFiles(const House& house);

/// The graph of folders, an arrow for each pair with the number of includes, as DOT text.
std::string folderGraph(const House& house);

} // namespace tests::architecture

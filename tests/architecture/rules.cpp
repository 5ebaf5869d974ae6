#include "tests/architecture/allowed.h"
#include "tests/architecture/house.h"

#include <algorithm>
#include <regex>
#include <set>

namespace tests::architecture {

namespace {

std::string at(const Source& source, int line)
{
    return source.path + ":" + std::to_string(line) + ": ";
}

// What stands in the first columns of tables that begin with `| files |`.
std::set<std::string> filesInTables(const std::vector<std::string>& lines)
{
    static const std::regex kName("[a-z0-9_]+");
    std::set<std::string> names;
    bool isInside = false;
    for (const std::string& line : lines) {
        const bool isHead = line.starts_with("| files |");
        isInside = isHead || (isInside && line.starts_with("|"));
        const std::string cell = isInside && !isHead ? line.substr(1, line.find('|', 1) - 1) : "";
        for (std::sregex_iterator name(cell.begin(), cell.end(), kName), end; name != end; ++name) {
            names.insert(name->str());
        }
    }
    return names;
}

// Depth first: `path` is the way from the start to here; a file met again on the way is a cycle.
void findCycles(const House& house, const std::string& file, std::vector<std::string>& way,
                std::set<std::string>& done, Findings& findings)
{
    const auto met = std::find(way.begin(), way.end(), file);
    if (met != way.end()) {
        std::string cycle = "cycle: ";
        for (auto step = met; step != way.end(); ++step) {
            cycle += *step + " -> ";
        }
        findings.push_back(cycle + file);
        return;
    }
    const auto found = house.sources.find(file);
    if (found == house.sources.end() || done.contains(file)) {
        return;
    }
    way.push_back(file);
    for (const Include& include : found->second.includes) {
        if (include.quoted) {
            findCycles(house, include.path, way, done, findings);
        }
    }
    way.pop_back();
    done.insert(file);
}

} // namespace

Findings checkDirections(const House& house)
{
    Findings findings;
    for (const auto& [path, source] : house.sources) {
        for (const Include& include : source.includes) {
            if (!include.quoted || (isIn(path, "tests") && include.path.ends_with(".moc"))) {
                continue;
            }
            if (!house.sources.contains(include.path)) {
                findings.push_back(
                    at(source, include.line) + "\"" + include.path
                    + "\" is no file of ours: includes are full paths from the root");
            } else if (const auto broken = brokenDirection(path, include.path)) {
                findings.push_back(at(source, include.line) + *broken);
            }
        }
    }
    return findings;
}

Findings checkDoors(const House& house)
{
    Findings findings;
    for (const auto& [path, source] : house.sources) {
        for (const Include& include : source.includes) {
            const bool isPrivate = std::count(include.path.begin(), include.path.end(), '/') > 1;
            if (include.quoted && isProduct(path) && isPrivate
                && topOf(path) != topOf(include.path)) {
                findings.push_back(at(source, include.line) + include.path + " is private to "
                                   + topOf(include.path)
                                   + ": enter by a header that lies directly in it");
            }
        }
    }
    return findings;
}

Findings checkCycles(const House& house)
{
    Findings findings;
    std::vector<std::string> way;
    std::set<std::string> done;
    for (const auto& [path, source] : house.sources) {
        findCycles(house, path, way, done, findings);
    }
    return findings;
}

Findings checkLibraries(const House& house)
{
    Findings findings;
    std::set<std::string> yamlSources;
    for (const auto& [path, source] : house.sources) {
        for (const Include& include : source.includes) {
            if (include.quoted) {
                continue;
            }
            if (isIn(path, "policies") && include.path.starts_with("yaml-cpp/")) {
                yamlSources.insert(path);
            }
            if (isProduct(path) && isNetworkHeader(include.path)) {
                findings.push_back(at(source, include.line) + "no network code: <" + include.path
                                   + ">");
            } else if (isProduct(path) || isIn(path, "tests")) {
                if (const auto broken = brokenBySystemHeader(path, include.path)) {
                    findings.push_back(at(source, include.line) + *broken);
                }
            }
        }
    }
    if (yamlSources.size() > 1) {
        std::string files;
        for (const std::string& path : yamlSources) {
            files += " " + path;
        }
        findings.push_back("yaml-cpp is called, and its exceptions caught, in one file, not in"
                           + files);
    }
    return findings;
}

Findings checkTargets(const House& house)
{
    Findings findings;
    std::map<std::string, std::string> folderOf;
    for (const Target& target : house.targets) {
        folderOf[target.name] = target.folder;
    }
    const auto isKnown = [](const std::string& link) {
        return link == "weir_flags" || link == "Threads::Threads";
    };
    for (const Target& target : house.targets) {
        for (const std::string& link : target.links) {
            const std::string where = "target " + target.name + ": ";
            if (folderOf.contains(link)) {
                if (const auto broken = brokenDirection(target.folder, folderOf.at(link))) {
                    findings.push_back(where + *broken);
                }
                continue;
            }
            const auto library
                = std::find_if(libraries().begin(), libraries().end(), [&](const Library& one) {
                      return std::regex_match(link, one.targets);
                  });
            if (library == libraries().end()) {
                if (!isKnown(link)) {
                    findings.push_back(where + "nobody agreed to " + link);
                }
            } else if (!mayEnter(target.folder, *library)) {
                findings.push_back(where + library->name + " may not enter " + target.folder);
            } else if (isIn(target.folder, "app") && link == "Qt6::Network") {
                findings.push_back(where + "no network code: " + link);
            }
        }
    }
    return findings;
}

Findings checkFiles(const House& house)
{
    static const std::set<std::string> kAtTheTop {
        "app",      "engine",         "policies",          "storage",
        "tests",    "CMakeLists.txt", "CMakePresets.json", "LICENSE",
        "README.md"};
    static const std::regex kGenerated(
        "(^|.*/)(build|CMakeFiles|__pycache__|Testing)/.*|(^|.*/)(moc_|ui_|qrc_)[^/]*|"
        ".*\\.(o|a|so|moc|gch|pch|pyc|orig|rej|db|log|exe)|.*~|"
        "(^|.*/)(CMakeCache\\.txt|compile_commands\\.json|build\\.ninja|core)");
    static const std::regex kSnakeCase("([a-z0-9_]+/)+[a-z0-9_]+\\.(h|cpp)");
    Findings findings;
    for (const std::string& path : house.files) {
        const std::string top = topOf(path);
        if (!kAtTheTop.contains(top) && !top.starts_with(".")) {
            findings.push_back(path + ": nothing but the agreed names at the top level");
        }
        if (!isIn(path, "tests/data") && std::regex_match(path, kGenerated)) {
            findings.push_back(path + ": a generated file");
        }
        if (house.sources.contains(path) && !std::regex_match(path, kSnakeCase)) {
            findings.push_back(path + ": sources lie in a folder and are named in snake_case");
        }
    }
    for (const std::string folder : {"app", "engine", "policies", "storage", "tests"}) {
        if (!contains(house.files, folder + "/README.md")) {
            findings.push_back(folder + ": no README.md");
        }
    }
    return findings;
}

Findings checkRooms(const House& house)
{
    Findings findings;
    for (const auto& [page, lines] : house.pages) {
        const std::set<std::string> named = filesInTables(lines);
        if (named.empty()) {
            continue;
        }
        const std::filesystem::path folder = std::filesystem::path(page).parent_path();
        std::set<std::string> there;
        for (const auto& [path, source] : house.sources) {
            if (std::filesystem::path(path).parent_path() == folder) {
                there.insert(std::filesystem::path(path).stem().string());
            }
        }
        for (const std::string& name : there) {
            if (!named.contains(name)) {
                findings.push_back(page + ": its table of files does not name " + name);
            }
        }
        for (const std::string& name : named) {
            if (!there.contains(name)) {
                findings.push_back(page + ": no file for " + name + " in its table");
            }
        }
    }
    return findings;
}

Findings checkCode(const House& house)
{
    struct Ban {
        std::regex what;
        Names folders;
        std::string why;
        std::vector<std::string> butNotIn {}; ///< by how a path begins
    };

    static const std::vector<Ban> kBans {
        {std::regex("\\bthrow\\b"),
         {"engine", "policies", "storage", "app"},
         "no exceptions of ours"},
        // What learns limits has the specification's leave; what clients do decides nothing.
        {std::regex("\\b(double|float)\\b"),
         {"engine"},
         "no floating point in engine",
         {"engine/algorithms/adaptive_limit.", "engine/clients/"}},
        {std::regex("std::j?thread\\b(?!::)|\\bsleep_(for|until)\\b"),
         {"engine"},
         "engine starts no thread and never sleeps"},
        {std::regex("std::(cout|cerr|printf|puts|putchar)\\b|fmt::print\\b"),
         {"engine", "policies", "storage", "app/workbench"},
         "libraries never print"},
        {std::regex("std::(exit|_Exit|quick_exit)\\b|[^:\\w]_?exit\\("),
         {"engine", "policies", "storage", "app/workbench"},
         "libraries never exit"},
    };
    Findings findings;
    for (const auto& named : house.sources) {
        const auto& path = named.first;
        const auto& source = named.second;
        for (const Ban& ban : kBans) {
            const bool holds
                = std::any_of(ban.folders.begin(), ban.folders.end(),
                              [&](const std::string& folder) { return isIn(path, folder); });
            const bool isExempt = std::any_of(
                ban.butNotIn.begin(), ban.butNotIn.end(),
                [&](const std::string& beginning) { return path.starts_with(beginning); });
            for (std::size_t i = 0; holds && !isExempt && i < source.code.size(); ++i) {
                if (std::regex_search(source.code[i], ban.what)) {
                    findings.push_back(at(source, static_cast<int>(i + 1)) + ban.why);
                }
            }
        }
    }
    return findings;
}

} // namespace tests::architecture

#include "tests/architecture/house.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace tests::architecture {

namespace {

bool isSource(const std::string& path)
{
    return path.ends_with(".h") || path.ends_with(".cpp");
}

// One line without texts, characters and // comments. Good enough for code in our format: block
// comments and raw texts stand on lines of their own and are skipped by readSource.
std::string withoutTexts(const std::string& line)
{
    std::string code;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line.compare(i, 2, "//") == 0) {
            break;
        }
        const char quote = line[i];
        const bool isText = quote == '"'
            || (quote == '\''
                && (i == 0 || std::isalnum(static_cast<unsigned char>(line[i - 1])) == 0));
        if (!isText) {
            code += quote;
            continue;
        }
        for (++i; i < line.size() && line[i] != quote; ++i) {
            i += line[i] == '\\' ? 1U : 0U;
        }
    }
    return code;
}

// Drops raw texts and block comments that span lines; `end` is what closes the one that is open.
std::string visiblePart(const std::string& line, std::string& end)
{
    if (!end.empty()) {
        const auto at = line.find(end);
        if (at == std::string::npos) {
            return {};
        }
        const std::string rest = line.substr(at + end.size());
        end.clear();
        return rest;
    }
    static const std::regex kRaw(R"rx(R"([A-Za-z_]*)\()rx");
    std::smatch raw;
    if (std::regex_search(line, raw, kRaw)) {
        const std::string close = ")" + raw[1].str() + "\"";
        const auto after = static_cast<std::size_t>(raw.position() + raw.length());
        if (line.find(close, after) == std::string::npos) {
            end = close;
        }
        return line.substr(0, static_cast<std::size_t>(raw.position()));
    }
    const auto comment = line.find("/*");
    if (comment != std::string::npos && line.find("*/", comment) == std::string::npos) {
        end = "*/";
        return line.substr(0, comment);
    }
    return line;
}

Source readSource(const std::filesystem::path& root, const std::string& path)
{
    static const std::regex kInclude(R"rx(^\s*#\s*include\s*(["<])([^">]*)[">])rx");
    Source source {path, {}, {}};
    std::ifstream file(root / path);
    std::string line;
    std::string end;
    for (int number = 1; std::getline(file, line); ++number) {
        std::smatch match;
        if (end.empty() && std::regex_search(line, match, kInclude)) {
            source.includes.push_back({match[2].str(), match[1].str() == "\"", number});
        }
        source.code.push_back(withoutTexts(visiblePart(line, end)));
    }
    return source;
}

} // namespace

House readHouse(const std::filesystem::path& root, const std::vector<std::string>& files)
{
    House house;
    house.files = files;
    for (const std::string& path : files) {
        if (isSource(path) && std::filesystem::exists(root / path)) {
            house.sources.emplace(path, readSource(root, path));
        }
        if (path.ends_with("/README.md")) {
            std::ifstream file(root / path);
            for (std::string line; std::getline(file, line);) {
                house.pages[path].push_back(line);
            }
        }
    }
    return house;
}

std::vector<Target> readTargets(const std::filesystem::path& list)
{
    std::vector<Target> targets;
    std::ifstream file(list);
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        Target target;
        std::string links;
        std::getline(fields, target.name, '|');
        std::getline(fields, target.folder, '|');
        std::getline(fields, links);
        std::istringstream names(links);
        for (std::string name; std::getline(names, name, ';');) {
            target.links.push_back(name);
        }
        targets.push_back(std::move(target));
    }
    return targets;
}

std::vector<std::string> largeFiles(const House& house)
{
    std::vector<std::pair<std::size_t, std::string>> large;
    for (const auto& [path, source] : house.sources) {
        const std::size_t aim = path.ends_with(".h") ? 150 : 400;
        if (!path.starts_with("tests/") && source.code.size() > aim) {
            large.emplace_back(source.code.size(), path);
        }
    }
    std::sort(large.rbegin(), large.rend());
    std::vector<std::string> lines;
    for (const auto& [count, path] : large) {
        lines.push_back(std::to_string(count) + " lines: " + path);
    }
    return lines;
}

std::string folderGraph(const House& house)
{
    const auto folderOf = [](const std::string& path) { return path.substr(0, path.rfind('/')); };
    std::map<std::pair<std::string, std::string>, int> arrows;
    for (const auto& [path, source] : house.sources) {
        for (const Include& include : source.includes) {
            const bool isOurs = include.quoted && house.sources.contains(include.path);
            if (isOurs && folderOf(path) != folderOf(include.path)) {
                ++arrows[{folderOf(path), folderOf(include.path)}];
            }
        }
    }
    std::ostringstream dot;
    dot << "digraph house {\n  rankdir = TB;\n  node [shape = box];\n";
    for (const auto& [arrow, count] : arrows) {
        dot << "  \"" << arrow.first << "\" -> \"" << arrow.second << "\" [label = " << count
            << "];\n";
    }
    dot << "}\n";
    return dot.str();
}

} // namespace tests::architecture

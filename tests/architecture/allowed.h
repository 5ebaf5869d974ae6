#pragma once
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

/// What is allowed in the house: the tables behind the rules.
namespace tests::architecture {

using Names = std::vector<std::string>;

/// Which folders a folder may use beside itself.
extern const std::map<std::string, Names> kMayUse;

/// A library: how its headers and its CMake targets are called, and the folders that it may enter.
struct Library {
    std::string name;
    std::regex headers;
    std::regex targets;
    Names folders;
};

const std::vector<Library>& libraries();

/// "app/cli/flags.h" is in "app/cli" and in "app".
bool isIn(const std::string& path, const std::string& folder);
std::string topOf(const std::string& path); ///< "app" for "app/cli/flags.h"
bool isProduct(const std::string& path);
bool contains(const Names& names, const std::string& name);

/// A bed of the garden has what its room has: tests/storage may open SQLite.
bool mayEnter(const std::string& path, const Library& library);

bool isNetworkHeader(const std::string& header);

/// Why `from` may not use `to` (paths of files or folders), or nothing.
std::optional<std::string> brokenDirection(const std::string& from, const std::string& to);
/// Why the source at `path` may not include <header>, or nothing.
std::optional<std::string> brokenBySystemHeader(const std::string& path, const std::string& header);

} // namespace tests::architecture

#include "app/workbench/log_list.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/files.h"
#include "policies/log_description.h"
#include "storage/zone.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <glob.h>
#include <map>
#include <optional>
#include <sys/stat.h>
#include <utility>

namespace app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDescription = ".logs.yaml";
constexpr std::size_t kMostListBytes = std::size_t {64} << 20;
constexpr std::size_t kMostDescriptionBytes = std::size_t {4} << 20;

bool isDescription(const fs::path& path)
{
    const std::string name = path.filename().string();
    return name.ends_with(kDescription) && name.size() > kDescription.size();
}

/// The regular files of a folder (links to them, too), by name, and what else is in it.
struct Folder {
    std::vector<std::string> files;
    std::uint64_t hidden = 0;
    std::uint64_t folders = 0;
    std::uint64_t others = 0; ///< pipes, devices, broken links, log descriptions
};

engine::Result<Folder> lookInto(const std::string& path)
{
    Folder folder;
    std::error_code error;
    for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
        std::error_code ignored;
        const fs::file_status status = at->status(ignored);
        if (at->path().filename().string().starts_with('.')) {
            ++folder.hidden;
        } else if (fs::is_directory(status)) {
            ++folder.folders;
        } else if (fs::is_regular_file(status) && !isDescription(at->path())) {
            folder.files.push_back(at->path().string());
        } else {
            ++folder.others;
        }
    }
    if (error) {
        return engine::fail("log.open",
                            fmt::format("the folder {} cannot be read: {}", path, error.message()));
    }
    std::sort(folder.files.begin(), folder.files.end());
    return folder;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
}

/// What is in the folder and not read: "2 hidden files and 1 folder".
std::string leftOutOf(const Folder& folder)
{
    std::vector<std::string> parts;
    if (folder.hidden > 0) {
        parts.push_back(counted(folder.hidden, "hidden entry", "hidden entries"));
    }
    if (folder.folders > 0) {
        parts.push_back(counted(folder.folders, "folder", "folders"));
    }
    if (folder.others > 0) {
        parts.push_back(counted(folder.others, "entry that is no file to read as a log",
                                "entries that are no files to read as logs"));
    }
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    }
    return text;
}

bool isGlob(std::string_view name)
{
    return name.find_first_of("*?[") != name.npos;
}

/// `pattern` below `folder`, whose own name is no pattern.
std::vector<std::string> filesOf(const fs::path& folder, const std::string& pattern)
{
    std::string whole;
    if (!pattern.starts_with('/')) {
        for (const char c : folder.string()) {
            whole += std::strchr("*?[\\", c) == nullptr ? std::string(1, c) : std::string {'\\', c};
        }
        whole += whole.empty() || whole.ends_with('/') ? "" : "/";
    }
    whole += pattern;
    glob_t found {};
    std::vector<std::string> files;
    if (::glob(whole.c_str(), GLOB_NOSORT, nullptr, &found) == 0) {
        files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    ::globfree(&found);
    std::sort(files.begin(), files.end());
    return files;
}

class Expander {
public:
    explicit Expander(const LogArguments& arguments)
        : m_arguments(arguments)
    {
    }

    LogList run()
    {
        for (const std::string& path : m_arguments.paths) {
            add(path, m_arguments.defaults, "");
        }
        for (const std::string& list : m_arguments.lists) {
            addList(list);
        }
        if (!m_list.errors.empty()) {
            m_list.logs.clear();
        }
        return std::move(m_list);
    }

private:
    struct Origin {
        std::string path;
        std::string group; ///< empty: not of a description
    };

    void fail(engine::Diagnostic diagnostic, const engine::Place& place = {})
    {
        if (!place.file.empty()) {
            diagnostic.place = place;
        }
        m_list.errors.push_back(std::move(diagnostic));
    }

    void fail(std::string code, std::string message, std::string help,
              const engine::Place& place = {})
    {
        fail(engine::fail(std::move(code), std::move(message), std::move(help)).diagnostic, place);
    }

    /// One name: of a file, a folder or a description.
    void add(const std::string& path, const LogChoice& how, const std::string& group,
             const engine::Place& place = {})
    {
        struct stat status { };

        if (path == "-") {
            takeStandardInput(how);
        } else if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
            addFolder(path, how, group, place);
        } else if (group.empty() && isDescription(path)) {
            addDescription(path);
        } else {
            addFile(path, how, group, place);
        }
    }

    void takeStandardInput(LogChoice how)
    {
        if (std::exchange(m_hasStandardInput, true)) {
            fail("cli.usage", "standard input can be read once", "give `-` one time");
            return;
        }
        how.path = "-";
        m_list.logs.push_back(std::move(how));
    }

    void addFile(const std::string& path, LogChoice how, const std::string& group,
                 const engine::Place& place)
    {
        struct stat status { };

        if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
            const auto [at, isNew]
                = m_seen.try_emplace({status.st_dev, status.st_ino}, Origin {path, group});
            if (!isNew && at->second.group != group) {
                fail("logs.two-groups",
                     fmt::format("{} is read by two groups: {} and {}", path,
                                 at->second.group.empty() ? "the command line" : at->second.group,
                                 group.empty() ? "the command line" : group),
                     "a file can be read in one way; make the globs narrower", place);
                return;
            }
            if (!isNew) {
                m_list.notes.push_back(at->second.path == path
                                           ? fmt::format("{} is given twice; it is read once", path)
                                           : fmt::format("{} is the file {} again; it is read once",
                                                         path, at->second.path));
                return;
            }
        }
        how.path = path;
        m_list.logs.push_back(std::move(how));
    }

    void addFolder(const std::string& path, const LogChoice& how, const std::string& group,
                   const engine::Place& place)
    {
        const engine::Result<Folder> folder = lookInto(path);
        if (!folder) {
            fail(folder.error(), place);
            return;
        }
        const std::string leftOut = leftOutOf(*folder);
        if (folder->files.empty()) {
            fail("log.empty-folder",
                 fmt::format("the folder {} has no files{}", path,
                             leftOut.empty() ? "" : fmt::format(" (but {})", leftOut)),
                 "give a folder with logs in it; folders inside of one are not entered", place);
            return;
        }
        m_list.notes.push_back(fmt::format(
            "{} is a folder: {}, {}{}", path, counted(folder->files.size(), "log", "logs"),
            folder->files.size() == 1
                ? fs::path(folder->files.front()).filename().string()
                : fmt::format("from {} to {}", fs::path(folder->files.front()).filename().string(),
                              fs::path(folder->files.back()).filename().string()),
            leftOut.empty() ? "" : fmt::format("; left out: {}", leftOut)));
        for (const std::string& file : folder->files) {
            addFile(file, how, group, place);
        }
    }

    void addList(const std::string& list)
    {
        if (list == "-" && std::exchange(m_hasStandardInput, true)) {
            fail("cli.usage", "standard input can be read once",
                 "give either the log or the list of files as `-`");
            return;
        }
        const engine::Result<std::string> content
            = readFile(list, kMostListBytes, m_arguments.stop);
        if (!content) {
            fail(content.error());
            return;
        }
        constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
        const char separator = content->find('\0') == std::string::npos ? '\n' : '\0';
        std::size_t found = 0;
        for (std::size_t begin = content->starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
             begin < content->size();) {
            const std::size_t end = std::min(content->find(separator, begin), content->size());
            std::string path = content->substr(begin, end - begin);
            if (separator == '\n' && path.ends_with('\r')) {
                path.pop_back();
            }
            const bool isBlank
                = separator == '\n' && path.find_first_not_of(" \t") == std::string::npos;
            if (!path.empty() && !isBlank) {
                ++found;
                add(path, m_arguments.defaults, "");
            }
            begin = end + 1;
        }
        if (found == 0) {
            fail("log.no-files",
                 fmt::format("{} names no files", list == "-" ? "standard input" : list),
                 "write one file in a line");
        }
    }

    void addDescription(const std::string& path)
    {
        const engine::Result<std::string> content
            = readFile(path, kMostDescriptionBytes, m_arguments.stop);
        if (!content) {
            fail(content.error());
            return;
        }
        policies::CheckedLogs checked = policies::readLogDescription(path, *content);
        for (engine::Diagnostic& diagnostic : checked.diagnostics) {
            fail(std::move(diagnostic));
        }
        if (checked.description) {
            for (const policies::LogGroup& group : checked.description->groups) {
                addGroup(path, group);
            }
        }
    }

    void addGroup(const std::string& description, const policies::LogGroup& group)
    {
        std::optional<LogChoice> how = choiceOf(group);
        if (!how) {
            return;
        }
        how->description = description;
        const fs::path folder = fs::path(description).parent_path();
        const std::size_t before = m_list.logs.size();
        for (const policies::LogText& file : group.files) {
            addFiles(folder, file, *how, group.name);
        }
        if (how->clockNs != 0) {
            m_list.notes.push_back(fmt::format(
                "{}: the clock of {} is put right by {}{}", group.name,
                counted(m_list.logs.size() - before, "log", "logs"), how->clockNs < 0 ? "-" : "+",
                waitText(how->clockNs < 0 ? -how->clockNs : how->clockNs)));
        }
    }

    void addFiles(const fs::path& folder, const policies::LogText& file, const LogChoice& how,
                  const std::string& group)
    {
        if (file.text.find("**") != std::string::npos) {
            fail("logs.glob", fmt::format("`**` in `{}` is not known here", file.text),
                 "write one `*` for each folder: `*/*.log`", file.place);
            return;
        }
        std::vector<std::string> files;
        std::error_code ignored;
        const std::string plain = (folder / file.text).string();
        if (fs::exists(plain, ignored)) {
            files.push_back(plain);
        } else if (isGlob(file.text)) {
            files = filesOf(folder, file.text);
        }
        if (files.empty()) {
            fail("logs.no-match",
                 isGlob(file.text) ? fmt::format("no file fits `{}`", file.text)
                                   : fmt::format("there is no file `{}`", file.text),
                 "names are relative to the description's own folder", file.place);
        }
        for (const std::string& path : files) {
            add(path, how, group, file.place);
        }
    }

    /// The defaults with what the group says; nothing after errors.
    std::optional<LogChoice> choiceOf(const policies::LogGroup& group)
    {
        const std::size_t before = m_list.errors.size();
        LogChoice how = m_arguments.defaults;
        if (!group.map.empty()) {
            how.mappings.clear();
        }
        for (const policies::LogText& text : group.map) {
            engine::Result<storage::FieldMapping> mapping = storage::parseMapping(text.text);
            if (mapping) {
                mapping->place = text.place;
                how.mappings.push_back(std::move(*mapping));
            } else {
                fail(mapping.error(), text.place);
            }
        }
        if (group.tz) {
            const auto zone = storage::Zone::named(group.tz->text);
            if (zone) {
                how.zone = *zone;
            } else {
                fail(zone.error(), group.tz->place);
            }
        }
        if (!group.trustedProxies.empty()) {
            how.trustedProxies.clear();
        }
        for (const policies::LogText& text : group.trustedProxies) {
            const engine::Result<engine::Network> network = engine::parseNetwork(text.text);
            if (network) {
                how.trustedProxies.push_back(*network);
            } else {
                fail(network.error(), text.place);
            }
        }
        how.clockNs = group.clockNs.value_or(how.clockNs);
        if (group.logFormat) {
            how.format = group.logFormat->text;
            how.formatPlace = group.logFormat->place;
            const auto format = storage::logFormat(how.format, {how.mappings, how.zone});
            if (!format && m_list.errors.size() == before) {
                const engine::Diagnostic& why = format.error();
                fail(why, why.place.file.empty() ? group.logFormat->place : why.place);
            }
        }
        return m_list.errors.size() == before ? std::optional(std::move(how)) : std::nullopt;
    }

    const LogArguments& m_arguments;
    LogList m_list;
    std::map<std::pair<dev_t, ino_t>, Origin> m_seen;
    bool m_hasStandardInput = false;
};

} // namespace

LogList expandLogs(const LogArguments& arguments)
{
    return Expander(arguments).run();
}

} // namespace app

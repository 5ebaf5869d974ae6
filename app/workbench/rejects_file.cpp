#include "app/workbench/rejects_file.h"

#include "app/workbench/json.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace app {
namespace {

engine::Failure failure(const std::string& path, int error)
{
    return engine::fail("file.write",
                        fmt::format("`{}` cannot be written: {}", path,
                                    std::strerror(error)), // NOLINT(concurrency-mt-unsafe)
                        error == ENOSPC || error == EDQUOT || error == EFBIG
                            ? "make room, or name another file"
                            : "name a file in a folder that you may write to");
}

} // namespace

engine::Result<std::unique_ptr<RejectsFile>> RejectsFile::create(const std::string& path,
                                                                 std::vector<std::string> logs)
{
    std::FILE* file = std::fopen(path.c_str(), "we");
    if (file == nullptr) {
        return failure(path, errno);
    }
    return std::unique_ptr<RejectsFile>(new RejectsFile(path, std::move(logs), file));
}

RejectsFile::RejectsFile(std::string path, std::vector<std::string> logs, std::FILE* file)
    : m_path(std::move(path))
    , m_logs(std::move(logs))
    , m_file(file)
{
}

RejectsFile::~RejectsFile()
{
    if (m_file != nullptr) {
        std::fclose(m_file);
    }
}

void RejectsFile::restart()
{
    std::rewind(m_file);
    if (::ftruncate(::fileno(m_file), 0) != 0 && errno != EINVAL) {
        m_error = errno;
    }
}

void RejectsFile::add(std::size_t log, const std::vector<storage::LineReject>& lines)
{
    for (const storage::LineReject& line : lines) {
        const std::string text
            = fmt::format(R"({{"file": {}, "line": {}, "reason": {}, "text": {}}})",
                          jsonString(m_logs[log]), line.line, jsonString(line.reason),
                          jsonString(line.text))
            + "\n";
        if (m_error == 0 && std::fwrite(text.data(), 1, text.size(), m_file) != text.size()) {
            m_error = errno;
        }
    }
}

engine::Status RejectsFile::finish()
{
    const bool closed = std::fclose(m_file) == 0;
    m_file = nullptr;
    if (m_error == 0 && !closed) {
        m_error = errno;
    }
    return m_error == 0 ? engine::Status(engine::Done {}) : failure(m_path, m_error);
}

} // namespace app

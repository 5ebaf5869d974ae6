#include "app/cli/output.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace app::cli {
namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;

} // namespace

Output::Output(int descriptor)
    : m_descriptor(descriptor)
{
}

void Output::write(std::string_view text)
{
    if (m_isGone || m_error != 0) {
        return;
    }
    m_waiting += text;
    if (m_waiting.size() >= kBufferBytes) {
        flush();
    }
}

void Output::flush()
{
    std::string_view rest = m_waiting;
    while (!rest.empty() && !m_isGone && m_error == 0) {
        const ssize_t written = ::write(m_descriptor, rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EPIPE) {
            m_isGone = true;
        } else if (errno != EINTR) {
            m_error = errno;
        }
    }
    m_waiting.clear();
}

engine::Status Output::finish()
{
    flush();
    if (m_error != 0) {
        return engine::fail(
            "cli.output", fmt::format("the results cannot be written: {}", std::strerror(m_error)),
            "what reached stdout is incomplete");
    }
    return engine::Done {};
}

} // namespace app::cli

#include "app/workbench/json.h"

#include "app/workbench/text.h"

#include <cassert>
#include <fmt/format.h>
#include <utility>

namespace app {

std::string jsonString(std::string_view text)
{
    // escaped() leaves no control character and no invalid byte: quotes and backslashes remain.
    std::string out = "\"";
    for (const char c : escaped(text)) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out + '"';
}

Json::Json(Layout layout)
    : m_layout(layout)
{
}

void Json::newLine()
{
    if (m_layout == Layout::Indented) {
        m_text += '\n';
        m_text.append(m_levels.size() * 2, ' ');
    }
}

void Json::separate()
{
    if (m_afterKey) {
        m_afterKey = false;
        return;
    }
    if (m_levels.empty()) {
        return;
    }
    if (!m_levels.back().isEmpty) {
        m_text += m_layout == Layout::Indented ? "," : ", ";
    }
    m_levels.back().isEmpty = false;
    newLine();
}

void Json::begin(char bracket)
{
    separate();
    m_text += bracket;
    m_levels.push_back({bracket == '{' ? '}' : ']', true});
}

void Json::beginObject()
{
    begin('{');
}

void Json::beginList()
{
    begin('[');
}

void Json::end()
{
    assert(!m_levels.empty());
    const Level level = m_levels.back();
    m_levels.pop_back();
    if (!level.isEmpty) {
        newLine();
    }
    m_text += level.closing;
    if (m_levels.empty()) {
        m_text += '\n';
    }
}

void Json::key(std::string_view name)
{
    separate();
    m_text += jsonString(name);
    m_text += ": ";
    m_afterKey = true;
}

void Json::value(std::string_view text)
{
    separate();
    m_text += jsonString(text);
}

void Json::value(std::int64_t number)
{
    separate();
    m_text += fmt::format("{}", number);
}

void Json::value(std::uint64_t number)
{
    separate();
    m_text += fmt::format("{}", number);
}

void Json::value(bool truth)
{
    separate();
    m_text += truth ? "true" : "false";
}

void Json::null()
{
    separate();
    m_text += "null";
}

std::string Json::take()
{
    assert(m_levels.empty());
    return std::exchange(m_text, {});
}

} // namespace app

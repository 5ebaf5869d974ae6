#include "storage/logs/lookalikes.h"

#include "storage/logs/error_log.h"
#include "storage/logs/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace storage::logs {
namespace {

bool has(std::string_view line, std::string_view part)
{
    return line.find(part) != std::string_view::npos;
}

/// "[{...},{...}]": several records in one line.
bool isJsonList(std::string_view line)
{
    const std::string_view text = trimmed(line);
    return text.starts_with('[') && trimmed(text.substr(1)).starts_with('{');
}

/// "}{": no newline between two objects.
bool isJsonRow(std::string_view line)
{
    return line.starts_with('{') && (has(line, "}{") || has(line, "} {"));
}

/// A piece of an object that is written over several lines.
bool isJsonPiece(std::string_view line)
{
    std::string_view text = trimmed(line);
    text.remove_suffix(text.ends_with(',') ? 1 : 0);
    return text == "[" || text == "]" || text == "{" || text == "}"
        || (text.starts_with('"') && (has(text, "\":") || has(text, "\" :")));
}

/// A field of an entry as `journalctl -o export` and `-o verbose` write them: "_PID=1".
bool isJournalField(std::string_view line)
{
    const std::string_view text = trimmed(line);
    const std::size_t size = std::min(text.find('='), text.size());
    return size > 0 && size < text.size()
        && text.substr(0, size).find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
        == std::string_view::npos;
}

/// Keys and levels of log libraries: time="..." level=debug msg="...".
bool isApplicationPair(std::string_view line)
{
    return (has(line, "level=") || has(line, "lvl=")) && has(line, "msg=");
}

bool isApplicationObject(std::string_view line)
{
    return line.starts_with('{')
        && (has(line, "\"level\"") || has(line, "\"severity\"") || has(line, "\"lvl\""))
        && (has(line, "\"msg\"") || has(line, "\"message\""));
}

bool isFirewall(std::string_view line)
{
    return has(line, " SRC=") && has(line, " DST=");
}

bool isFirewallTable(std::string_view line)
{
    return (line.starts_with("#Fields:") && has(line, " src-ip ") && has(line, " protocol "))
        || has(line, " OPEN TCP ") || has(line, " OPEN UDP ") || has(line, " CLOSE TCP ")
        || has(line, " CLOSE UDP ") || has(line, " DROP TCP ") || has(line, " DROP UDP ")
        || has(line, " DROP ICMP ") || has(line, " ALLOW TCP ") || has(line, " ALLOW UDP ");
}

bool isAudit(std::string_view line)
{
    return line.starts_with("type=") && has(line, "msg=audit(");
}

bool isMarkup(std::string_view line)
{
    const std::string_view text = trimmed(line);
    return text.starts_with('<') && text.ends_with('>');
}

bool isTable(std::string_view line)
{
    return line.starts_with("#Fields:") || line.starts_with("#fields");
}

bool isShell(std::string_view line)
{
    return has(line, "sshd[") || has(line, "sudo:") || has(line, "CRON[") || has(line, "systemd[");
}

/// Lines that end with CR alone are one line to everybody else.
bool hasLoneReturns(std::string_view line)
{
    const auto at = line.find('\r');
    return at != std::string_view::npos && at + 1 < line.size() && line[at + 1] != '\r';
}

/// Every other byte is a zero, or there is the mark of UTF-16.
bool isWide(std::string_view line)
{
    return line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF")
        || (line.size() > 1
            && std::count(line.begin(), line.end(), '\0') * 3
                > static_cast<std::ptrdiff_t>(line.size()));
}

bool isBinary(std::string_view line)
{
    // Of random bytes one in nine is such a control, and every other one is above 0x7f.
    const auto odd = std::count_if(line.begin(), line.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte == 0 || byte == 0x7f || (byte < 0x20 && c != '\t' && c != '\x1b' && c != '\r');
    });
    return odd * 16 > static_cast<std::ptrdiff_t>(line.size());
}

struct Kind {
    bool (*is)(std::string_view line);
    std::string_view name;
};

constexpr std::array<Kind, 16> kKinds {{
    {isWide, "text in UTF-16; iconv -f UTF-16 -t UTF-8 FILE | weir ... - reads it"},
    {isJsonList,
     "lists of JSON records (Kong writes batches so); jq -c '.[]' makes a line of each"},
    {isJsonRow, "JSON objects without newlines between them; jq -c . makes a line of each"},
    {isJsonPiece,
     "JSON over several lines; jq -c 'if type == \"array\" then .[] else . end' makes a line of "
     "each record"},
    {isJournalField,
     "journalctl's export or verbose form; journalctl -o json (or -o short) writes what can be "
     "read"},
    {isErrorLogLine, "the error log of nginx or Apache; requests are in its access log"},
    {isFirewallTable, "a firewall's log in W3C form"},
    {isFirewall, "a firewall's log"},
    {isAudit, "an audit log"},
    {isShell, "a system log"},
    {isApplicationPair,
     "an application's log (level=, msg=), as Traefik and Caddy write beside "
     "their access logs"},
    {isApplicationObject, "an application's log (objects with a level and a message)"},
    {isBinary, "bytes that are no text"},
    {hasLoneReturns, "lines that end with CR alone: make them lines with tr '\\r' '\\n'"},
    {isMarkup, "markup (HTML, XML)"},
    {isTable, "a table with field names, but none of requests"},
}};

} // namespace

std::string whatLinesAre(std::span<const std::string_view> lines)
{
    std::array<std::size_t, kKinds.size()> counts {};
    for (const std::string_view line : lines) {
        for (std::size_t i = 0; i < kKinds.size(); ++i) {
            if (kKinds[i].is(line)) {
                ++counts[i];
                break;
            }
        }
    }
    const auto most = std::max_element(counts.begin(), counts.end());
    const auto index = static_cast<std::size_t>(most - counts.begin());
    return *most * 2 >= lines.size() && *most > 0 ? std::string(kKinds[index].name) : std::string();
}

} // namespace storage::logs

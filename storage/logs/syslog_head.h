#pragma once
#include <cstddef>
#include <string_view>

namespace storage::logs {

/// The head that syslog or the journal puts before a message.
///
/// "<190>Feb  6 12:14:14 web1 nginx[7]: GET /" has the time "Feb  6 12:14:14", the message "GET /".
struct SyslogHead {
    std::string_view time; ///< as written; empty: none
    std::string_view message;
    /// Without a tag the first word may be a host or belong to the message: the message with it.
    /// Empty: there is no doubt.
    std::string_view other;
    bool isSure = false; ///< priority, version or tag say that it is one; else it is a time alone
};

/// RFC 3164 and RFC 5424 with or without priority; the times of 3164, ISO 8601 and Unix seconds, as
/// syslog daemons and `journalctl -o short*` write them; with or without host, tag and year. False:
/// the line begins with nothing of the kind.
bool readSyslogHead(std::string_view line, SyslogHead& head);

/// Bytes of the ISO time at the start of `text`, with its zone; 0: there is none.
std::size_t isoTimeLength(std::string_view text);

} // namespace storage::logs

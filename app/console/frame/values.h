#pragma once

#include <QString>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace engine {
struct Diagnostic;
}

/// Text on its way to the screen. Values of logs, policies and file names pass shown(); our own
/// figures pass the others, which format as design and command line do, without locale.
namespace app::console {

/// Bytes of a log or a policy as they may be seen: control characters as `\x1b`, characters that
/// turn the direction of text as `\u202e`'s bytes, all else as it is (escaped() of workbench/text).
/// Longer ones end in an ellipsis; the whole is for the tool tip and the copy.
QString shown(std::string_view bytes, std::size_t most = 2000);
/// The names of files without their folders: of "/logs/a.log, /logs/b.log" "a.log, b.log".
QString fileNames(std::string_view paths, std::size_t most = 200);
/// Our own text, which is UTF-8 and safe.
QString words(std::string_view text);

QString countText(std::uint64_t number); ///< "651,125"
/// "8.95 %"; what is not zero is never shown as zero ("< 0.01 %"), nor as the whole when it is less
/// ("> 99.99 %"). Empty where the whole is zero.
QString shareText(std::uint64_t part, std::uint64_t whole, int digits = 2);
QString lengthText(std::int64_t ns); ///< of time: "41 ms", "1.641 s", "2 min 05 s"
QString sizeText(std::uint64_t bytes); ///< "54.8 MB", "1.55 GB"; powers of 1,000
QString plural(std::uint64_t number, const QString& one, const QString& many); ///< "1 rule"

/// Of a second: stores and charts count in whole seconds, all else in ns.
inline constexpr std::int64_t kNs = 1'000'000'000;

/// How times are shown: in UTC, or in the zone of the computer. GUI thread.
void setTimesInUtc(bool isUtc);
bool timesInUtc();
QString zoneName(); ///< "UTC", "CET"

enum class TimeForm {
    Second, ///< "14:04:35"
    Millisecond, ///< "14:04:35.658"
    Minute, ///< "14:04"
    Date, ///< "2026-03-10"
    Full ///< "2026-03-10 14:04:35.658 UTC"
};

QString momentText(std::int64_t ns, TimeForm form);

/// Plain text as a tool tip: never taken for markup, lines kept.
QString plainTip(const QString& text);

/// "As if: 10 servers in turn; clocks off by up to 1s" of the conditions of a run, which may hold
/// text from files; of `who`: "Base as if: ...". Empty without any.
QString asIfOf(const std::vector<std::string>& conditions, const QString& who = {});

/// "What is wrong. What to write." of a diagnostic, escaped.
QString sentence(const engine::Diagnostic& diagnostic);
/// The same without help that is meant for the command line.
QString failureText(const engine::Diagnostic& diagnostic);

} // namespace app::console

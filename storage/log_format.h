#pragma once
#include "engine/result.h"
#include "storage/field_names.h"
#include "storage/zone.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace storage {

namespace logs {
class LineParser;
}

/// `--map NAME=FIELD`: attribute `name` is the log's field `field`. `time` is the stamp at a
/// request's end, `start` the one at its beginning. `duration=took:ms` says the unit (s, ms, us,
/// ns); without one it is told by the field's name (`took_ms`), else seconds. In JSON a dot goes
/// into nested objects: `client_ip=request.remote_ip`, and several for one name are
/// alternatives: the first that a line has counts.
struct FieldMapping {
    std::string name;
    std::string field;
    engine::Place place {}; ///< where a file says so; messages about the mapping name it
};

/// "api_key=http_x_key" as a FieldMapping; `$http_x_key`, as nginx writes it, is the same field.
/// Errors: log.map (no `=`, nothing on one side).
engine::Result<FieldMapping> parseMapping(std::string_view text);

/// What a user says of a log's fields and clocks, whatever its format.
struct FormatOptions {
    std::vector<FieldMapping> mappings {};
    std::shared_ptr<const Zone> zone = nullptr; ///< of stamps that name none; nothing: UTC
};

/// How the lines of a log are read. One subclass per file in storage/logs/, registered in
/// logs/formats.cpp. Immutable; safe to share between threads.
class LogFormat {
public:
    LogFormat() = default;
    LogFormat(const LogFormat&) = delete;
    LogFormat& operator=(const LogFormat&) = delete;
    virtual ~LogFormat() = default;

    /// "nginx-combined"; for a format given as text, that text.
    [[nodiscard]] virtual std::string name() const = 0;

    /// The names of the formats of a log that has lines of several, in the order in which they are
    /// tried; empty: it has one.
    [[nodiscard]] virtual std::vector<std::string> parts() const { return {}; }

    /// The attributes that it can give: built-in names first, then its further fields by their
    /// names. JSON kinds name the built-in ones that they look for; see isOpenEnded().
    [[nodiscard]] virtual std::vector<std::string> fields() const = 0;

    /// Lines may have fields of any name (JSON): what a log really has is known from its lines.
    [[nodiscard]] virtual bool isOpenEnded() const { return false; }

    /// Lines with these beginnings say what the lines behind them mean ("#Fields:"). Of each kind
    /// the last one above a line counts, wherever blocks are cut: LineScratch::header.
    [[nodiscard]] virtual std::vector<std::string> headerMarks() const { return {}; }

    /// The first line of a log names its fields (CSV): LineScratch::header, everywhere.
    [[nodiscard]] virtual bool hasHeaderLine() const { return false; }

    /// Sentences that a user of this format should know: what its stamp is of, which zone it is in,
    /// what it leaves out. "The stamp is of a request's end, in whole seconds."
    [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }

    /// Lines have no time of their own, only what wrappers give (a container's stream, syslog, the
    /// journal): what the format would need, for a message. Empty: they have one.
    [[nodiscard]] virtual std::string missingTime() const { return {}; }

    /// Adds the names of the fields of one line to `names`; open-ended formats only.
    virtual void collectFields(std::string_view line, FieldNames& names) const;

    /// A parser that gives these attributes, in this order. For storage/logs/ and its reader only.
    [[nodiscard]] virtual std::unique_ptr<logs::LineParser>
    parser(const std::vector<std::string>& fields) const = 0;
};

/// Names for `--log-format`, in the order of detection.
std::vector<std::string> logFormatNames();

/// The format of a name ("nginx-combined"), of an nginx `log_format` text (anything with a `$`) or
/// of an Apache `LogFormat` text (`%h %l ...`). Whole directives and configurations that hold them
/// are fine too: `log_format main escape=json '...' '...';`, `LogFormat "..." combined`. And so is
/// a list of up to four names, "alb,elb", for a log that has lines of each; the first that can read
/// a line does.
///
/// Errors: log.format (unknown name, with the near one or the list; a format text that cannot be
/// told apart), log.map (a mapping that the format cannot follow).
engine::Result<std::shared_ptr<const LogFormat>> logFormat(std::string_view text,
                                                           const FormatOptions& options = {});

/// What the first lines look like.
///
/// Example: {format nginx-combined, lines 1000, fit 998, exact 998, confidence 99}: 998 of the
/// first 1,000 lines that are not blank can be read so, and nothing else could read as many.
struct Detection {
    /// A format that reads as many lines as the one that was found.
    struct Candidate {
        std::string format;
        std::string difference; ///< "its stamps are of the start of a request"; or empty
    };

    std::shared_ptr<const LogFormat> format;
    std::uint64_t lines = 0; ///< looked at, blank ones left out; 0: the log is empty
    std::uint64_t fit = 0; ///< of them, read by `format`
    std::uint64_t exact = 0; ///< of these, with nothing missing and nothing left over
    /// In percent: the share of lines that fit, of which those that are not exact count half; and
    /// half of that if there are candidates, since one of them may be meant.
    int confidence = 0;
    std::vector<Candidate> candidates; ///< --log-format decides between them
    std::string wrapper; ///< what is around the lines ("Docker's json-file"); empty: nothing
    std::uint64_t wrapped = 0; ///< of the lines that fit, how many have it
    std::vector<std::string> notes; ///< sentences: what else it could be, what would read more

    [[nodiscard]] int percent() const
    {
        return lines == 0 ? 0 : static_cast<int>(fit * 100 / lines);
    }
};

inline constexpr std::size_t kDetectionLines = 1000;

/// Finds the format of the lines in `head` (whole lines; up to kDetectionLines are looked at).
/// Lines of up to four formats make a mix of them. No lines: `weir`, lines 0.
///
/// Errors: log.unknown-format (hardly a line is a request of a format that is known; the message
/// says what the lines are instead, where that can be told), log.map.
engine::Result<Detection> detectLogFormat(std::string_view head, const FormatOptions& options = {});

} // namespace storage

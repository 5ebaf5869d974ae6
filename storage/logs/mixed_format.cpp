#include "storage/logs/mixed_format.h"

#include "engine/attributes.h"
#include "storage/logs/line_parser.h"

#include <algorithm>
#include <fmt/format.h>

namespace storage::logs {
namespace {

using Formats = std::vector<std::shared_ptr<const LogFormat>>;

/// Lines of the header that begin with one of these marks.
std::string headerFor(std::string_view header, const std::vector<std::string>& marks)
{
    std::string lines;
    while (!header.empty()) {
        const std::string_view line = header.substr(0, header.find('\n'));
        header.remove_prefix(std::min(line.size() + 1, header.size()));
        const bool isMine = std::any_of(marks.begin(), marks.end(), [&](const std::string& mark) {
            return line.starts_with(mark);
        });
        if (isMine) {
            lines += (lines.empty() ? "" : "\n") + std::string(line);
        }
    }
    return lines;
}

/// How much an outcome says of a line that no format reads.
int weight(LineOutcome outcome)
{
    switch (outcome) {
    case LineOutcome::NoMatch:
        return 0;
    case LineOutcome::NotJson:
        return 1;
    case LineOutcome::Truncated:
        return 2;
    default:
        return 3;
    }
}

class MixedParser final : public LineParser {
public:
    MixedParser(const Formats& formats, const std::vector<std::string>& fields)
        : m_fieldCount(fields.size())
    {
        for (const auto& format : formats) {
            m_parts.push_back({format->parser(fields), format->headerMarks()});
        }
    }

    /// Reads a line by the first format that is sure of it, else by the surest that can.
    LineOutcome parse(std::string_view line, bool isCut, LineScratch& scratch,
                      ParsedLine& out) const override
    {
        setUp(scratch);
        LineOutcome said = LineOutcome::NoMatch;
        std::size_t tried = m_parts.size();
        std::size_t surest = m_parts.size();
        Claim most = Claim::Marks;
        for (std::size_t i = 0; i < m_parts.size() && most < Claim::Own; ++i) {
            const LineOutcome outcome = parseAs(i, line, isCut, scratch, out);
            tried = i;
            if (outcome == LineOutcome::Directive) {
                return outcome;
            }
            if (outcome == LineOutcome::Request) {
                const Claim claim = m_parts[i].parser->claim(scratch.parts[i]);
                surest = surest == m_parts.size() || claim > most ? i : surest;
                most = std::max(most, claim);
            }
            said = weight(outcome) > weight(said) ? outcome : said;
        }
        if (surest == m_parts.size()) {
            clear(out);
            return said;
        }
        if (tried != surest) {
            parseAs(surest, line, isCut, scratch, out);
        }
        noteRequest(surest, scratch, out);
        return LineOutcome::Request;
    }

    [[nodiscard]] int likeness(std::string_view line, LineScratch& scratch) const override
    {
        setUp(scratch);
        int most = 0;
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            scratch.parts[i].outer = scratch.outer;
            most = std::max(most, m_parts[i].parser->likeness(line, scratch.parts[i]));
        }
        return most;
    }

private:
    struct Part {
        std::unique_ptr<LineParser> parser;
        std::vector<std::string> marks;
    };

    LineOutcome parseAs(std::size_t index, std::string_view line, bool isCut, LineScratch& scratch,
                        ParsedLine& out) const
    {
        LineScratch& part = scratch.parts[index];
        part.outer = scratch.outer;
        part.localTimes = {};
        clear(out);
        return m_parts[index].parser->parse(line, isCut, part, out);
    }

    void clear(ParsedLine& out) const
    {
        out.request = {};
        out.clients = {};
        std::fill_n(out.values, m_fieldCount, std::string_view {});
    }

    static void noteRequest(std::size_t index, LineScratch& scratch, ParsedLine& out)
    {
        const LineScratch& part = scratch.parts[index];
        out.format = static_cast<std::uint8_t>(index);
        scratch.localTimes.all += part.localTimes.all;
        scratch.localTimes.ambiguous += part.localTimes.ambiguous;
        scratch.localTimes.skipped += part.localTimes.skipped;
        scratch.outer.isUsed = part.outer.isUsed;
    }

    /// A scratch of its own for each format, with its own headers and keys.
    void setUp(LineScratch& scratch) const
    {
        if (scratch.parts.size() == m_parts.size()) {
            return;
        }
        scratch.parts = std::vector<LineScratch>(m_parts.size());
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            scratch.parts[i].arena = scratch.arena;
            scratch.parts[i].header.set(headerFor(scratch.header.text(), m_parts[i].marks));
        }
    }

    std::vector<Part> m_parts;
    std::size_t m_fieldCount = 0;
};

class MixedFormat final : public LogFormat {
public:
    explicit MixedFormat(Formats formats)
        : m_formats(std::move(formats))
    {
    }

    [[nodiscard]] std::string name() const override
    {
        return fmt::format("{}", fmt::join(parts(), ","));
    }

    [[nodiscard]] std::vector<std::string> parts() const override
    {
        std::vector<std::string> names;
        for (const auto& format : m_formats) {
            names.push_back(format->name());
        }
        return names;
    }

    [[nodiscard]] std::vector<std::string> fields() const override
    {
        std::vector<std::string> all;
        for (const auto& format : m_formats) {
            add(format->fields(), all);
        }
        std::stable_partition(all.begin(), all.end(), engine::isBuiltIn);
        return all;
    }

    [[nodiscard]] bool isOpenEnded() const override
    {
        return std::any_of(m_formats.begin(), m_formats.end(),
                           [](const auto& format) { return format->isOpenEnded(); });
    }

    [[nodiscard]] std::vector<std::string> headerMarks() const override
    {
        std::vector<std::string> all;
        for (const auto& format : m_formats) {
            add(format->headerMarks(), all);
        }
        return all;
    }

    [[nodiscard]] std::vector<std::string> remarks() const override
    {
        std::vector<std::string> all;
        for (const auto& format : m_formats) {
            for (const std::string& remark : format->remarks()) {
                all.push_back(fmt::format("{}: {}", format->name(), remark));
            }
        }
        return all;
    }

    [[nodiscard]] std::string missingTime() const override
    {
        for (const auto& format : m_formats) {
            if (std::string missing = format->missingTime(); !missing.empty()) {
                return missing;
            }
        }
        return {};
    }

    void collectFields(std::string_view line, FieldNames& names) const override
    {
        for (const auto& format : m_formats) {
            if (format->isOpenEnded()) {
                format->collectFields(line, names);
            }
        }
    }

    [[nodiscard]] std::unique_ptr<LineParser>
    parser(const std::vector<std::string>& fields) const override
    {
        return std::make_unique<MixedParser>(m_formats, fields);
    }

private:
    static void add(const std::vector<std::string>& from, std::vector<std::string>& to)
    {
        for (const std::string& text : from) {
            if (std::find(to.begin(), to.end(), text) == to.end()) {
                to.push_back(text);
            }
        }
    }

    Formats m_formats;
};

} // namespace

bool canBeMixed(const LogFormat& format)
{
    return !format.hasHeaderLine();
}

engine::Result<std::shared_ptr<const LogFormat>> makeMixedFormat(Formats formats)
{
    if (formats.size() > kMostFormats) {
        return engine::fail("log.format",
                            fmt::format("{} formats for one log are too many", formats.size()),
                            fmt::format("name at most {}", kMostFormats));
    }
    for (const auto& format : formats) {
        if (!canBeMixed(*format)) {
            return engine::fail("log.format",
                                fmt::format("{} cannot be one of several formats", format->name()),
                                "give such a log a LOG of its own");
        }
    }
    return std::shared_ptr<const LogFormat>(std::make_shared<MixedFormat>(std::move(formats)));
}

} // namespace storage::logs

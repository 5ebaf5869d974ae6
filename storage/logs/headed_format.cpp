#include "storage/logs/headed_format.h"

#include <algorithm>

namespace storage::logs {
namespace {

/// A header with a line in place of the one of the same mark.
std::string withHeader(std::span<const std::string_view> marks, std::string_view line,
                       std::string_view header)
{
    std::string all;
    for (const std::string_view mark : marks) {
        std::string_view kept = line.starts_with(mark) ? line : std::string_view {};
        for (std::size_t at = 0; kept.empty() && at < header.size();) {
            const std::size_t end = std::min(header.find('\n', at), header.size());
            const std::string_view old = header.substr(at, end - at);
            kept = old.starts_with(mark) ? old : std::string_view {};
            at = end + 1;
        }
        if (!kept.empty()) {
            all += (all.empty() ? "" : "\n") + std::string(kept);
        }
    }
    return all;
}

bool startsWithAny(std::span<const std::string_view> marks, std::string_view line)
{
    return std::any_of(marks.begin(), marks.end(),
                       [&](std::string_view mark) { return line.starts_with(mark); });
}

class HeadedParser final : public LineParser {
public:
    HeadedParser(const HeadedRules& rules, FormatOptions options, std::vector<std::string> wanted)
        : m_rules(rules)
        , m_options(std::move(options))
        , m_wanted(std::move(wanted))
    {
    }

    LineOutcome parse(std::string_view line, bool isCut, LineScratch& scratch,
                      ParsedLine& out) const override;
    [[nodiscard]] int likeness(std::string_view line, LineScratch& scratch) const override;

private:
    [[nodiscard]] const LineParser* rows(LineScratch& scratch) const;

    const HeadedRules& m_rules;
    FormatOptions m_options;
    std::vector<std::string> m_wanted;
    std::uint64_t m_id = newNumber();
};

const LineParser* HeadedParser::rows(LineScratch& scratch) const
{
    const auto make = [this](std::string_view header) -> std::shared_ptr<const LineParser> {
        const bool isKnown
            = !m_rules.needsHeader || headerText(header, m_rules.fieldsMark).data() != nullptr;
        return isKnown ? m_rules.rows(header, m_options, m_wanted) : nullptr;
    };
    return scratch.made.find(m_id, scratch.header, make);
}

LineOutcome HeadedParser::parse(std::string_view line, bool isCut, LineScratch& scratch,
                                ParsedLine& out) const
{
    if (line.front() == '#') {
        if (startsWithAny(m_rules.marks, line)) {
            scratch.header.set(withHeader(m_rules.marks, line, scratch.header.text()));
        }
        return LineOutcome::Directive;
    }
    const LineParser* const parser = rows(scratch);
    return parser != nullptr ? parser->parse(line, isCut, scratch, out) : LineOutcome::NoMatch;
}

int HeadedParser::likeness(std::string_view line, LineScratch& scratch) const
{
    if (line.front() != '#') {
        const LineParser* const parser = rows(scratch);
        return parser != nullptr ? parser->likeness(line, scratch) : 0;
    }
    if (!startsWithAny(m_rules.marks, line)) {
        return startsWithAny(m_rules.otherMarks, line) ? 1 : 0;
    }
    scratch.header.set(withHeader(m_rules.marks, line, scratch.header.text()));
    const bool names = line.starts_with(m_rules.fieldsMark)
        && !m_rules.fields(scratch.header.text(), m_options).empty();
    return names ? 2 : 1;
}

class HeadedFormat final : public LogFormat {
public:
    HeadedFormat(const HeadedRules& rules, FormatOptions options)
        : m_rules(rules)
        , m_options(std::move(options))
    {
    }

    [[nodiscard]] std::string name() const override { return std::string(m_rules.name); }

    /// Without a header, what the mappings and the columns that are taken for granted give.
    [[nodiscard]] std::vector<std::string> fields() const override
    {
        return m_rules.fields({}, m_options);
    }

    [[nodiscard]] bool isOpenEnded() const override { return true; }

    [[nodiscard]] std::vector<std::string> headerMarks() const override
    {
        return {m_rules.marks.begin(), m_rules.marks.end()};
    }

    [[nodiscard]] std::vector<std::string> remarks() const override
    {
        return {m_rules.remarks.begin(), m_rules.remarks.end()};
    }

    void collectFields(std::string_view line, FieldNames& names) const override
    {
        if (!line.starts_with(m_rules.fieldsMark)) {
            return;
        }
        for (const std::string& field : m_rules.fields(line, m_options)) {
            names.add(field);
        }
    }

    [[nodiscard]] std::unique_ptr<LineParser>
    parser(const std::vector<std::string>& wanted) const override
    {
        return std::make_unique<HeadedParser>(m_rules, m_options, wanted);
    }

private:
    const HeadedRules& m_rules;
    FormatOptions m_options;
};

} // namespace

std::string_view headerText(std::string_view header, std::string_view mark)
{
    for (std::size_t at = 0; at < header.size();) {
        const std::size_t end = std::min(header.find('\n', at), header.size());
        const std::string_view line = header.substr(at, end - at);
        if (line.starts_with(mark)) {
            return trimmed(line.substr(mark.size()));
        }
        at = end + 1;
    }
    return {};
}

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const std::size_t size = std::min(text.find_first_of(" \t"), text.size());
        words.emplace_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    return words;
}

std::shared_ptr<const LogFormat> makeHeadedFormat(const HeadedRules& rules,
                                                  const FormatOptions& options)
{
    return std::make_shared<HeadedFormat>(rules, options);
}

} // namespace storage::logs

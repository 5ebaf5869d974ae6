#pragma once
#include "storage/logs/formats.h"
#include "storage/logs/line_parser.h"
#include "storage/logs/request_line.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What all formats share whose lines are a row of values: once a line is cut, which value says
/// when, who, what and how it ended. A format of this kind gives its cut and a RecordRules.
namespace storage::logs {

/// How a value is written.
enum class Escape : std::uint8_t {
    None,
    Hex, ///< \xHH, \" and their kin (nginx's default, Apache)
    Json
};

/// A field that gives an attribute; of several the first that a format has counts.
struct RecordSource {
    std::string_view attribute;
    std::string_view field;
};

struct RecordStamp {
    std::string_view field;
    bool isStart = false; ///< of a request's begin; else of its end
};

struct RecordDuration {
    std::string_view field;
    std::int64_t unitNs = kSecondNs;
};

/// What the fields of a kind of format mean; best first.
struct RecordRules {
    std::span<const RecordSource> sources;
    std::span<const RecordStamp> stamps;
    std::span<const RecordDuration> durations;
    std::string_view request; ///< the field with the whole request line
    std::span<const std::string_view> targets; ///< fields with path and query
    std::span<const std::string_view> lists; ///< addresses, the last of which is the nearest
    std::string_view timeHelp; ///< which times a format can have, for a message
    Escape escape = Escape::Hex;
    std::string_view nil = "-"; ///< a value that stands for none
    std::span<const std::string_view> remarks; ///< LogFormat::remarks()
    bool queryHasMark = false; ///< a field with the query begins with its `?`
};

/// Rules applied to the fields of one format and the user's mappings. Fields go by their index in
/// `fields`.
struct RecordLayout {
    struct StampAt {
        std::size_t field = 0;
        bool isStart = false;
    };

    struct DurationAt {
        std::size_t field = 0;
        std::int64_t unitNs = kSecondNs;
    };

    RecordRules rules;
    std::vector<std::string> fields; ///< names, in the order of the cut
    FormatOptions options;
    std::vector<StampAt> stamps;
    std::vector<DurationAt> durations;
    std::optional<std::size_t> client;
    bool clientIsList = false;
    std::optional<std::size_t> request;
    std::optional<std::size_t> target;
    std::optional<std::size_t> status;
    std::size_t lastRequired = 0; ///< what matters is complete behind this field

    /// Errors: log.format (no time), log.map (a mapping of a field that is not there).
    static engine::Result<RecordLayout>
    make(const RecordRules& rules, std::vector<std::string> fields, const FormatOptions& options);

    [[nodiscard]] std::optional<std::size_t> indexOf(std::string_view field) const;
    /// The field that gives an attribute: as mapped, as the rules say, or of the same name.
    [[nodiscard]] std::optional<std::size_t> sourceOf(std::string_view attribute) const;
    /// For LogFormat::fields().
    [[nodiscard]] std::vector<std::string> attributes() const;

private:
    engine::Status applyMappings();
    [[nodiscard]] const FieldMapping* mappingOf(std::string_view name) const;
    [[nodiscard]] bool isTimeField(std::string_view field) const;
};

/// Reads lines that a subclass cuts into the fields of a layout.
class RecordParser : public LineParser {
public:
    RecordParser(RecordLayout layout, const std::vector<std::string>& wanted);

    LineOutcome parse(std::string_view line, bool isCut, LineScratch& scratch,
                      ParsedLine& out) const override;
    [[nodiscard]] int likeness(std::string_view line, LineScratch& scratch) const override;

protected:
    /// values[0 .. whole) are complete.
    struct Cut {
        std::vector<std::string_view>& values; ///< as many as the layout has fields, and more
        std::size_t whole = 0;
        bool exact = false; ///< all were there, and nothing is left over

        [[nodiscard]] bool has(std::size_t field) const { return field < whole; }
    };

    /// Cuts a line, as far as field `last` at the least. Anything but Request refuses the line.
    virtual LineOutcome cut(std::string_view line, bool isCut, std::size_t last,
                            LineScratch& scratch, Cut& cut) const = 0;
    /// The stamp of a field; by default any time that readAnyTime() knows.
    virtual bool readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                           Stamp& stamp) const;

    [[nodiscard]] const RecordLayout& layout() const { return m_layout; }

    /// A value with its escapes undone; empty for none.
    [[nodiscard]] std::string_view textOf(std::size_t field, const Cut& cut, Arena& arena) const;

private:
    /// What fills one field of the batch.
    struct Action {
        AttributeKind kind = AttributeKind::Text;
        std::size_t out = 0;
        std::optional<std::size_t> field; ///< of its own
    };

    LineOutcome readRequired(const Cut& cut, LineScratch& scratch, ParsedLine& out,
                             std::string_view& client, std::string_view& status) const;
    bool readTimes(const Cut& cut, LineScratch& scratch, engine::Request& request) const;
    [[nodiscard]] RequestParts readParts(const Cut& cut, Arena& arena) const;
    void fill(const Cut& cut, Arena& arena, std::string_view client, std::string_view status,
              ParsedLine& out) const;

    RecordLayout m_layout;
    std::vector<Action> m_actions;
    std::size_t m_last = 0; ///< the last field that is needed
    bool m_needsParts = false;
};

/// A format whose parser is `Parser(layout, extra, wanted)`, Extra being what its cut needs.
template <class Parser, class Extra> class RecordFormat final : public LogFormat {
public:
    RecordFormat(std::string name, RecordLayout layout, Extra extra)
        : m_name(std::move(name))
        , m_layout(std::move(layout))
        , m_extra(std::move(extra))
    {
    }

    [[nodiscard]] std::string name() const override { return m_name; }

    [[nodiscard]] std::vector<std::string> fields() const override { return m_layout.attributes(); }

    [[nodiscard]] std::vector<std::string> remarks() const override
    {
        return {m_layout.rules.remarks.begin(), m_layout.rules.remarks.end()};
    }

    [[nodiscard]] std::unique_ptr<LineParser>
    parser(const std::vector<std::string>& wanted) const override
    {
        return std::make_unique<Parser>(m_layout, m_extra, wanted);
    }

private:
    std::string m_name;
    RecordLayout m_layout;
    Extra m_extra;
};

} // namespace storage::logs

#pragma once
#include "storage/logs/formats.h"
#include "storage/logs/line_parser.h"
#include "storage/logs/request_line.h"

#include <algorithm>
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
    Json,
    Sharp ///< #HH (HAProxy)
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

/// A unit of a duration that the value itself names: "12ms".
inline constexpr std::int64_t kNamedUnit = 0;

struct RecordDuration {
    std::string_view field;
    std::int64_t unitNs = kSecondNs; ///< or kNamedUnit
};

/// A start that lies before the end of its request by more than this, or behind it, is not
/// believed.
inline constexpr std::int64_t kFarthestStartNs = 3600 * kSecondNs;

/// What the fields of a kind of format mean; best first.
struct RecordRules {
    std::span<const RecordSource> sources;
    std::span<const RecordStamp> stamps;
    std::span<const RecordDuration> durations;
    /// Fields in seconds that add up to the duration, where none of `durations` is. One that is
    /// no number ("-1": never got that far) leaves a lower bound, if the others are not 0.
    std::span<const std::string_view> sum;
    /// With a stamp of the end, the field that says the start; the duration is what lies between.
    std::string_view start;
    std::string_view request; ///< the field with the whole request line
    std::span<const std::string_view> targets; ///< fields with path and query
    std::span<const std::string_view> lists; ///< addresses, the last of which is the nearest
    std::string_view timeHelp; ///< which times a format can have, for a message
    Escape escape = Escape::Hex;
    std::string_view nil = "-"; ///< a value that stands for none
    std::span<const std::string_view> remarks; ///< LogFormat::remarks()
    bool queryHasMark = false; ///< a field with the query begins with its `?`
    bool isAbsolute = false; ///< targets name scheme and host
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
    std::vector<std::size_t> sum;
    std::optional<std::size_t> start;
    std::optional<std::size_t> client;
    bool clientIsList = false;
    std::optional<std::size_t> request;
    std::optional<std::size_t> target;
    std::optional<std::size_t> status;
    std::size_t lastRequired = 0; ///< what matters is complete behind this field

    /// Without a stamp, lines need the time of a wrapper (LogFormat::timeHelp).
    /// Errors: log.map (a mapping of a field that is not there).
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
    [[nodiscard]] bool mayBeHeader(std::string_view attribute) const;
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
        bool hasNoBackslash = false; ///< none in the whole line, as far as is known

        [[nodiscard]] bool has(std::size_t field) const { return field < whole; }

        /// Room for `count` values; they are of lines before.
        void reach(std::size_t count)
        {
            if (values.size() < count) {
                values.resize(count);
            }
        }

        /// Room for `count` values, all empty.
        std::string_view* room(std::size_t count)
        {
            values.assign(std::max(values.size(), count), std::string_view {});
            return values.data();
        }
    };

    /// Cuts a line, as far as field `last` at the least. Anything but Request refuses the line.
    virtual LineOutcome cut(std::string_view line, bool isCut, std::size_t last,
                            LineScratch& scratch, Cut& cut) const = 0;
    /// The stamp of a field; by default any time that readAnyTime() knows.
    virtual bool readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                           Stamp& stamp) const;

    /// When the request began and how long it took; false: no stamp can be read.
    virtual bool readTimes(const Cut& cut, LineScratch& scratch, engine::Request& request) const;
    [[nodiscard]] std::optional<std::int64_t> readDuration(const Cut& cut) const;

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
    bool readOuterTimes(const Cut& cut, LineScratch& scratch, engine::Request& request) const;
    void readStart(const Cut& cut, LineScratch& scratch, engine::Request& request) const;
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

    [[nodiscard]] std::string missingTime() const override
    {
        return m_layout.stamps.empty() ? std::string(m_layout.rules.timeHelp) : std::string();
    }

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

/// What a parser needs whose cut needs nothing but the line.
struct NoExtra { };

template <class Parser>
MadeFormat makeRecordFormat(std::string_view name, const RecordRules& rules,
                            std::vector<std::string> fields, const FormatOptions& options)
{
    auto layout = RecordLayout::make(rules, std::move(fields), options);
    if (!layout) {
        return engine::fail(layout.error());
    }
    return std::shared_ptr<const LogFormat>(std::make_shared<RecordFormat<Parser, NoExtra>>(
        std::string(name), std::move(*layout), NoExtra {}));
}

} // namespace storage::logs

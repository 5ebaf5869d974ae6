#pragma once
#include "storage/logs/formats.h"
#include "storage/logs/line_parser.h"
#include "storage/logs/record_layout.h"
#include "storage/logs/request_line.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What all formats share whose lines are a row of values: once a line is cut, which value says
/// when, who, what and how it ended. A format of this kind gives its cut and a RecordRules.
namespace storage::logs {

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

    /// The last field that is needed.
    [[nodiscard]] std::size_t last() const { return m_last; }

    /// Stands for none; `raw` is not empty.
    [[nodiscard]] bool isNilText(std::string_view raw) const
    {
        const std::string_view nil = m_layout.rules.nil;
        return raw.size() == nil.size() && raw.front() == nil.front()
            && (raw.size() == 1 || raw == nil);
    }

    /// A value with its escapes undone; empty for none.
    [[nodiscard]] std::string_view textOf(std::size_t field, const Cut& cut, Arena& arena) const
    {
        if (!cut.has(field)) {
            return {};
        }
        const std::string_view raw = cut.values[field];
        if (raw.empty() || isNilText(raw)) {
            return {};
        }
        return cut.hasNoBackslash && m_layout.rules.escape != Escape::Sharp ? raw
                                                                            : undo(raw, arena);
    }

    /// What is known of a line when its attributes are filled.
    struct Known {
        std::string_view client;
        std::string_view status;
        std::int64_t durationNs = engine::kUnknownDuration;
    };

    /// Puts what was asked for into `values`.
    void fill(const Cut& cut, Arena& arena, const Known& known, std::string_view* values) const;

private:
    static constexpr std::size_t kNoField = SIZE_MAX; ///< that no line has

    /// What fills one field of the batch.
    struct Action {
        AttributeKind kind = AttributeKind::Text;
        std::size_t out = 0;
        std::size_t field = kNoField; ///< of its own
    };

    LineOutcome readRequired(const Cut& cut, LineScratch& scratch, ParsedLine& out,
                             std::string_view& client, std::string_view& status) const;
    bool readOuterTimes(const Cut& cut, LineScratch& scratch, engine::Request& request) const;
    void readStart(const Cut& cut, LineScratch& scratch, engine::Request& request) const;
    void readParts(const Cut& cut, Arena& arena, RequestParts& parts) const;
    [[nodiscard]] std::string_view valueOf(const Action& action, const Cut& cut, Arena& arena,
                                           const Known& known, const RequestParts& parts) const;
    [[nodiscard]] std::string_view undo(std::string_view raw, Arena& arena) const;

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

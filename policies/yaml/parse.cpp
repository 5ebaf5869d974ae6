#include "policies/yaml/parse.h"

#include "policies/yaml/builder.h"
#include "policies/yaml/comments.h"
#include "policies/yaml/lexer.h"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fmt/format.h>
#include <sstream>
#include <string>

// The one file that knows yaml-cpp and its exceptions.

namespace policies::yaml {
namespace {

std::size_t offsetOf(const YAML::Mark& mark, const Source& source)
{
    const std::size_t size = source.text().size();
    return mark.pos < 0 ? size
                        : std::min(source.start() + static_cast<std::size_t>(mark.pos), size);
}

class Events final : public YAML::EventHandler {
public:
    Events(const Source& source, Builder& builder)
        : m_source(source)
        , m_builder(builder)
    {
    }

    void OnDocumentStart(const YAML::Mark& /*mark*/) override { }

    void OnDocumentEnd() override { }

    void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override
    {
        m_builder.null(at(mark));
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override
    {
        m_builder.alias(at(mark));
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                  const std::string& value) override
    {
        m_builder.scalar(at(mark), value, tag);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                         YAML::EmitterStyle::value /*style*/) override
    {
        m_builder.open(at(mark), Kind::Sequence, tag);
    }

    void OnSequenceEnd() override { m_builder.close(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                    YAML::EmitterStyle::value /*style*/) override
    {
        m_builder.open(at(mark), Kind::Map, tag);
    }

    void OnMapEnd() override { m_builder.close(); }

    void OnAnchor(const YAML::Mark& mark, const std::string& name) override
    {
        m_builder.anchor(at(mark), name);
    }

private:
    [[nodiscard]] std::size_t at(const YAML::Mark& mark) const { return offsetOf(mark, m_source); }

    const Source& m_source;
    Builder& m_builder;
};

/// Listens to what should not be there.
class Silence final : public YAML::EventHandler {
public:
    void OnDocumentStart(const YAML::Mark& /*mark*/) override { }

    void OnDocumentEnd() override { }

    void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override { }

    void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override { }

    void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  const std::string& /*value*/) override
    {
    }

    void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                         YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override
    {
    }

    void OnSequenceEnd() override { }

    void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                    YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override
    {
    }

    void OnMapEnd() override { }
};

/// The library says nothing of where a quote was opened that it ran out of text in.
std::optional<std::size_t> openQuote(const Source& source, const Builder& builder)
{
    const std::string_view text = source.text();
    std::size_t at = builder.scalars().empty() ? source.start() : builder.scalars().back().second;
    for (at = skipBlanks(text, at); at < text.size(); at = skipBlanks(text, at)) {
        if (text[at] != '"' && text[at] != '\'') {
            ++at;
            continue;
        }
        const ScalarEnd end = endOfScalar(text, at, {});
        if (end.isOpen) {
            return at;
        }
        at = end.end;
    }
    return std::nullopt;
}

void reportSyntax(const YAML::ParserException& exception, const Source& source, Builder& builder)
{
    std::size_t at = offsetOf(exception.mark, source);
    const std::string_view text = source.text();
    if (!builder.isComplete()) {
        return; // what made it incomplete was told, and is the reason
    }
    if (exception.msg == YAML::ErrorMsg::UNKNOWN_ANCHOR) {
        builder.error("policy.alias", at, "an alias stands here",
                      "write the value out where it is used");
        return;
    }
    if (exception.msg == YAML::ErrorMsg::EOF_IN_SCALAR) {
        if (const auto quote = openQuote(source, builder)) {
            builder.openQuote(*quote);
            return;
        }
    }
    std::string help
        = "look at the indentation, at the blank behind `:` and `-`, and put text with "
          "`: `, ` #` or a special first character into quotes";
    const bool isUnclosed = exception.msg == YAML::ErrorMsg::END_OF_MAP_FLOW
        || exception.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW;
    if (const auto bracket = isUnclosed ? builder.openBracket() : std::nullopt) {
        const Span opener = source.span(*bracket, *bracket);
        help = fmt::format("close the `{}` of line {}, column {}", text[*bracket], opener.line,
                           opener.column);
    } else if (text.substr(source.lineBegin(at), at + 1 - source.lineBegin(at)).find('\t')
               != std::string_view::npos) {
        help = "indent with blanks, not with tabs";
    }
    builder.error("policy.syntax", at, fmt::format("this is no YAML: {}", exception.msg),
                  std::move(help));
}

bool handleOne(YAML::Parser& parser, YAML::EventHandler& events, const Source& source,
               Builder& builder, bool& isWhole)
{
    try {
        return parser.HandleNextDocument(events);
    } catch (const YAML::DeepRecursion&) {
        isWhole = false;
        if (builder.isComplete()) {
            builder.error("policy.depth", source.start(),
                          fmt::format("values are nested more than {} deep", kMaxDepth),
                          "nothing here needs more than 8 levels");
        }
    } catch (const YAML::ParserException& exception) {
        isWhole = false;
        reportSyntax(exception, source, builder);
    } catch (const YAML::Exception& exception) {
        isWhole = false;
        builder.error("policy.syntax", offsetOf(exception.mark, source),
                      fmt::format("this is no YAML: {}", exception.msg),
                      "look at the indentation, at the blank behind `:` and `-`, and at quotes");
    }
    return true;
}

void reportRest(const Source& source, std::size_t end, Builder& builder)
{
    const std::string_view text = source.text();
    std::size_t at = skipBlanks(text, end);
    if (text.substr(at, 3) == "...") {
        at = skipBlanks(text, at + 3);
    }
    if (text.substr(at, 3) == "---") {
        builder.error("policy.second-document", at, "a second document begins here",
                      "keep one policy in a file; remove the `---` and what follows");
        return;
    }
    const std::string_view rest
        = text.substr(at, std::min<std::size_t>(endOfLine(text, at) - at, 40));
    builder.error("policy.after-document", at,
                  fmt::format("`{}` stands behind the end of the document", rest),
                  "remove it, or indent it so that it belongs to what is above");
}

void refuseDirective(const Source& source, Builder& builder)
{
    const std::size_t at = skipBlanks(source.text(), source.start());
    if (at < source.text().size() && source.text()[at] == '%') {
        builder.error("policy.directive", at, "a YAML directive stands here",
                      "remove the line; none is needed");
    }
}

} // namespace

Parsed parse(const Source& source)
{
    Parsed parsed;
    Builder builder(source);
    const std::string_view text = source.text();
    refuseDirective(source, builder);
    std::istringstream stream {std::string(text.substr(source.start()))};
    YAML::Parser parser(stream);
    Events events(source, builder);
    bool isWhole = true;
    const bool isThere = handleOne(parser, events, source, builder, isWhole);
    if (isThere && isWhole) {
        // Asked a second time at most: with some inputs the library never says that it is done.
        Silence silence;
        Builder rest(source);
        bool isReadable = true;
        if (handleOne(parser, silence, source, rest, isReadable)) {
            reportRest(source, builder.root().at.end, builder);
        }
    }
    const bool isUsable = isThere && isWhole && builder.isComplete();
    if (isUsable) {
        parsed.document.emplace();
        parsed.document->root = std::move(builder.root());
        attachComments(source, builder.scalars(), *parsed.document);
    }
    parsed.diagnostics = builder.takeDiagnostics();
    if (!isThere
        || (isUsable && parsed.document->root.kind == Kind::Null && parsed.diagnostics.empty())) {
        parsed.document.reset();
        if (parsed.diagnostics.empty()) {
            parsed.diagnostics.push_back(
                source.error("policy.empty", source.start(), "the document is empty",
                             "begin with `weir: 1`, `name:` and `tiers:`"));
        }
    }
    return parsed;
}

} // namespace policies::yaml

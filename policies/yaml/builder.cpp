#include "policies/yaml/builder.h"

#include "policies/yaml/lexer.h"

#include <algorithm>
#include <fmt/format.h>

namespace policies::yaml {

Builder::Builder(const Source& source)
    : m_source(source)
{
}

void Builder::error(std::string code, std::size_t at, std::string message, std::string help)
{
    m_diagnostics.push_back(
        m_source.error(std::move(code), at, std::move(message), std::move(help)));
}

bool Builder::takeNode(std::size_t begin)
{
    if (m_isFull || m_tooDeep > 0) {
        return false;
    }
    if (++m_nodes > kMaxNodes) {
        m_isFull = true;
        error("policy.nodes", begin, fmt::format("the document has more than {} values", kMaxNodes),
              "divide the policy, or move long lists into a lookup file");
        return false;
    }
    return true;
}

void Builder::refuseTag(Node& node, std::size_t begin, const std::string& tag)
{
    const std::string_view text = m_source.text();
    const bool isTagged = begin < text.size() && text[begin] == '!';
    if (isTagged || (!tag.empty() && tag != "!" && tag != "?")) {
        const std::size_t end = std::min(text.find_first_of(" \t\r\n,]}", begin), text.size());
        error("policy.tag", begin,
              fmt::format("the tag `{}` is not part of the language",
                          isTagged ? text.substr(begin, end - begin) : tag),
              "write the value alone; put it in quotes if text is meant");
        node.unusable = true;
    }
    node.unusable = node.unusable || m_hasAnchor;
    m_hasAnchor = false;
}

std::size_t Builder::emptyPlace() const
{
    if (m_frames.empty()) {
        return m_source.start();
    }
    const Frame& frame = m_frames.back();
    const std::string_view text = m_source.text();
    if (frame.node.kind == Kind::Map && frame.pending) {
        const std::size_t end = frame.pending->key.at.end;
        const std::size_t colon = text.find_first_not_of(" \t", end);
        return colon < text.size() && text[colon] == ':' ? colon + 1 : end;
    }
    const std::size_t from = frame.end;
    const std::size_t at = skipBlanks(text, from);
    const bool isBehindComma = !frame.node.items.empty() && at < text.size() && text[at] == ',';
    return at < text.size() ? at + (isBehindComma ? 1 : 0) : from;
}

void Builder::null(std::size_t begin)
{
    if (!takeNode(begin)) {
        return;
    }
    const std::string_view text = m_source.text();
    Node node;
    std::size_t length = 0;
    const std::size_t place = emptyPlace();
    for (const std::string_view word : {"~", "null", "Null", "NULL"}) {
        const std::size_t blanks = std::min(text.find_first_not_of(" \t", place), text.size());
        const bool isNext
            = begin == blanks || m_frames.empty() || m_frames.back().node.kind == Kind::Sequence;
        if (isNext && begin < text.size() && text.substr(begin, word.size()) == word) {
            length = word.size();
        }
    }
    const std::size_t at = length > 0 ? begin : place;
    node.at = m_source.span(at, at + length);
    node.unusable = m_hasAnchor;
    m_hasAnchor = false;
    finish(std::move(node), at);
}

void Builder::scalar(std::size_t begin, const std::string& value, const std::string& tag)
{
    if (!takeNode(begin)) {
        return;
    }
    Node node;
    node.kind = Kind::Scalar;
    node.text = value;
    refuseTag(node, begin, tag);
    const ScalarEnd end = node.unusable ? ScalarEnd {begin, false, false, false}
                                        : endOfScalar(m_source.text(), begin, value);
    node.quoted = end.isQuoted;
    node.at = m_source.span(begin, end.end);
    if (end.isOpen) {
        openQuote(begin);
        node.unusable = true;
    }
    m_scalars.emplace_back(begin, end.end);
    finish(std::move(node), begin);
}

void Builder::openQuote(std::size_t begin)
{
    const char quote = m_source.text()[begin];
    m_hasOpenQuote = true;
    error("policy.open-quote", begin, fmt::format("the quote {} is never closed", quote),
          fmt::format("close it with {} on the same line", quote));
}

void Builder::alias(std::size_t begin)
{
    if (!takeNode(begin)) {
        return;
    }
    error("policy.alias", begin, "an alias stands here", "write the value out where it is used");
    Node node;
    node.unusable = true;
    node.at = m_source.span(begin, begin);
    finish(std::move(node), begin);
}

void Builder::anchor(std::size_t begin, const std::string& name)
{
    if (m_isFull || m_tooDeep > 0) {
        return;
    }
    m_hasAnchor = true;
    error("policy.anchor", begin, fmt::format("the anchor `&{}` is not part of the language", name),
          "remove it and write the value out where it is used");
}

void Builder::open(std::size_t begin, Kind kind, const std::string& tag)
{
    if (m_tooDeep > 0 || m_frames.size() >= kMaxDepth) {
        if (!m_isTooDeep) {
            error("policy.depth", begin,
                  fmt::format("values are nested more than {} deep", kMaxDepth),
                  "nothing here needs more than 8 levels");
        }
        m_isTooDeep = true;
        ++m_tooDeep;
        return;
    }
    takeNode(begin);
    Frame frame;
    frame.node.kind = kind;
    if (!m_isFull) {
        refuseTag(frame.node, begin, tag);
    }
    frame.node.at = m_source.span(begin, begin);
    const std::string_view text = m_source.text();
    const bool isFlow = begin < text.size() && (text[begin] == '{' || text[begin] == '[');
    frame.end = isFlow ? begin + 1 : begin;
    if (!isFlow && kind == Kind::Sequence && !m_frames.empty()) {
        frame.end = emptyPlace(); // so that the first dash lies behind it
    }
    m_frames.push_back(std::move(frame));
}

void Builder::close()
{
    if (m_tooDeep > 0) {
        --m_tooDeep;
        return;
    }
    Frame frame = std::move(m_frames.back());
    m_frames.pop_back();
    const std::size_t begin = frame.node.at.begin;
    frame.node.at.end = std::max(begin, endOfFlow(m_source.text(), begin, frame.end));
    finish(std::move(frame.node), begin);
}

void Builder::finish(Node node, std::size_t begin)
{
    if (m_frames.empty()) {
        m_root = std::move(node);
        return;
    }
    Frame& frame = m_frames.back();
    const std::size_t end = node.at.end;
    if (m_isFull) {
        return;
    }
    if (frame.node.kind == Kind::Sequence) {
        Item item;
        const std::size_t dash = dashBefore(m_source.text(), begin, frame.end);
        item.at = m_source.span(dash, end);
        item.value = std::move(node);
        frame.node.items.push_back(std::move(item));
    } else if (!frame.pending) {
        takeKey(frame, std::move(node));
    } else {
        frame.pending->value = std::move(node);
        frame.pending->at.end = std::max(frame.pending->at.begin, end);
        if (!frame.isDropped) {
            frame.node.items.push_back(std::move(*frame.pending));
        }
        frame.pending.reset();
        frame.isDropped = false;
    }
    frame.end = std::max(frame.end, end);
}

void Builder::takeKey(Frame& frame, Node node)
{
    Item item;
    item.at = node.at;
    item.key = {node.text, node.quoted, node.at};
    frame.isDropped = true;
    if (node.kind != Kind::Scalar) {
        if (!node.unusable) {
            error("policy.field-name", node.at.begin, "the name of a field is not a text",
                  "write `name: value`");
        }
    } else if (node.unusable) {
        frame.isDropped = true;
    } else if (node.text == "<<" && !node.quoted) {
        error("policy.merge-key", node.at.begin, "the merge key `<<` is not part of the language",
              "write the fields out where they are used");
    } else if (!frame.keys.insert(node.text).second) {
        error("policy.duplicate-field", node.at.begin,
              fmt::format("`{}` is given twice", node.text), "keep one of the two");
    } else {
        frame.isDropped = false;
    }
    frame.pending = std::move(item);
}

std::optional<std::size_t> Builder::openBracket() const
{
    const std::string_view text = m_source.text();
    for (auto frame = m_frames.rbegin(); frame != m_frames.rend(); ++frame) {
        const std::size_t begin = frame->node.at.begin;
        if (begin < text.size() && (text[begin] == '{' || text[begin] == '[')) {
            return begin;
        }
    }
    return std::nullopt;
}

} // namespace policies::yaml

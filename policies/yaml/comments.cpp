#include "policies/yaml/comments.h"

#include "policies/yaml/lexer.h"

#include <algorithm>
#include <string>

namespace policies::yaml {
namespace {

struct Comment {
    std::size_t begin = 0;
    std::int64_t column = 0;
    bool isAlone = false; ///< nothing but blanks before it on its line
    std::string text;
};

/// An item in order of text, with where it hangs.
struct Hook {
    Item* item = nullptr;
    Node* collection = nullptr;
    std::size_t parent = 0; ///< index of the hook above, or kNone
};

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

void collectHooks(Node& node, std::size_t parent, std::vector<Hook>& hooks)
{
    for (Item& item : node.items) {
        hooks.push_back({&item, &node, parent});
        collectHooks(item.value, hooks.size() - 1, hooks);
    }
}

Comment commentAt(const Source& source, std::size_t begin)
{
    const std::string_view text = source.text();
    std::size_t end = endOfLine(text, begin);
    while (end > begin
           && (text[end - 1] == ' ' || text[end - 1] == '\t' || text[end - 1] == '\r')) {
        --end;
    }
    const std::size_t line = source.lineBegin(begin);
    const std::string_view before = text.substr(line, begin - line);
    Comment comment;
    comment.begin = begin;
    comment.column = source.span(begin, begin).column;
    comment.isAlone = before.find_first_not_of(" \t") == std::string_view::npos;
    comment.text = std::string(text.substr(begin, end - begin));
    return comment;
}

void collectBetween(const Source& source, std::size_t from, std::size_t to,
                    std::vector<Comment>& comments)
{
    const std::string_view text = source.text();
    for (std::size_t at = text.find('#', from); at < to; at = text.find('#', at)) {
        comments.push_back(commentAt(source, at));
        at = endOfLine(text, at);
    }
}

std::vector<Comment>
collectComments(const Source& source,
                const std::vector<std::pair<std::size_t, std::size_t>>& scalars)
{
    std::vector<Comment> comments;
    const std::string_view text = source.text();
    std::size_t at = source.start();
    for (const auto& [begin, end] : scalars) {
        if (begin > at) {
            const std::size_t hash = text.substr(at, begin - at).find('#');
            if (hash != std::string_view::npos) {
                collectBetween(source, at + hash, begin, comments);
            }
        }
        if (begin < text.size() && (text[begin] == '|' || text[begin] == '>')) {
            const std::size_t header = std::min(endOfLine(text, begin), end);
            const std::size_t hash = text.substr(begin, header - begin).find('#');
            if (hash != std::string_view::npos) {
                collectBetween(source, begin + hash, header, comments);
            }
        }
        at = std::max(at, end);
    }
    const std::size_t hash = text.substr(std::min(at, text.size())).find('#');
    if (hash != std::string_view::npos) {
        collectBetween(source, at + hash, text.size(), comments);
    }
    return comments;
}

class Attacher {
public:
    Attacher(std::string_view text, Document& document, std::vector<Hook> hooks)
        : m_text(text)
        , m_document(document)
        , m_hooks(std::move(hooks))
    {
    }

    void attach(Comment comment)
    {
        const auto next
            = std::partition_point(m_hooks.begin(), m_hooks.end(), [&](const Hook& hook) {
                  return hook.item->at.begin < comment.begin;
              });
        Item* following = next == m_hooks.end() ? nullptr : next->item;
        if (next == m_hooks.begin()) {
            atHead(following, std::move(comment));
            return;
        }
        const std::size_t hook
            = outOfClosed(static_cast<std::size_t>(next - m_hooks.begin()) - 1, comment.begin);
        if (!comment.isAlone) {
            beside(*m_hooks[hook].item, std::move(comment.text));
        } else if (Node* brackets = bracketsAround(hook, comment.begin)) {
            const bool isLast = following == nullptr || following->at.begin >= brackets->at.end;
            (isLast ? brackets->after : following->before).push_back(std::move(comment.text));
        } else if (following != nullptr && comment.column <= following->at.column) {
            following->before.push_back(std::move(comment.text));
        } else {
            atEnd(hook, following, std::move(comment));
        }
    }

private:
    [[nodiscard]] bool isFlow(const Node& node) const
    {
        return (node.kind == Kind::Map || node.kind == Kind::Sequence)
            && node.at.begin < m_text.size()
            && (m_text[node.at.begin] == '{' || m_text[node.at.begin] == '[');
    }

    /// The hook itself, or the one that holds the brackets that are closed before the comment.
    [[nodiscard]] std::size_t outOfClosed(std::size_t hook, std::size_t comment) const
    {
        while (m_hooks[hook].parent != kNone && isFlow(*m_hooks[hook].collection)
               && m_hooks[hook].collection->at.end <= comment) {
            hook = m_hooks[hook].parent;
        }
        return hook;
    }

    /// The innermost brackets that the comment stands in.
    [[nodiscard]] Node* bracketsAround(std::size_t hook, std::size_t comment) const
    {
        Node& value = m_hooks[hook].item->value;
        for (Node* node : {&value, m_hooks[hook].collection}) {
            if (isFlow(*node) && node->at.begin < comment && comment < node->at.end) {
                return node;
            }
        }
        return nullptr;
    }

    void atHead(Item* following, Comment comment)
    {
        Node& root = m_document.root;
        if (!isFlow(root) || comment.begin < root.at.begin) {
            m_document.head.push_back(std::move(comment.text));
        } else {
            (following == nullptr ? root.after : following->before)
                .push_back(std::move(comment.text));
        }
    }

    /// Behind the items of the deepest collection that is not indented deeper than the comment.
    void atEnd(std::size_t hook, Item* following, Comment comment)
    {
        while (m_hooks[hook].item->at.column > comment.column && m_hooks[hook].parent != kNone) {
            hook = m_hooks[hook].parent;
        }
        Node& ended = *m_hooks[hook].collection;
        if (following != nullptr && ended.at.end > following->at.begin) {
            following->before.push_back(std::move(comment.text));
        } else {
            ended.after.push_back(std::move(comment.text));
        }
    }

    static void beside(Item& item, std::string text)
    {
        if (item.beside.empty()) {
            item.beside = std::move(text);
        } else {
            item.before.push_back(std::move(text));
        }
    }

    std::string_view m_text;
    Document& m_document;
    std::vector<Hook> m_hooks;
};

} // namespace

void attachComments(const Source& source,
                    const std::vector<std::pair<std::size_t, std::size_t>>& scalars,
                    Document& document)
{
    std::vector<Comment> comments = collectComments(source, scalars);
    if (comments.empty()) {
        return;
    }
    std::vector<Hook> hooks;
    collectHooks(document.root, kNone, hooks);
    Attacher attacher(source.text(), document, std::move(hooks));
    for (Comment& comment : comments) {
        attacher.attach(std::move(comment));
    }
}

} // namespace policies::yaml

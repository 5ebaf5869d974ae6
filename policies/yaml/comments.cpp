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
    Attacher(Document& document, std::vector<Hook> hooks)
        : m_document(document)
        , m_hooks(std::move(hooks))
    {
    }

    void attach(Comment comment)
    {
        const auto next
            = std::partition_point(m_hooks.begin(), m_hooks.end(), [&](const Hook& hook) {
                  return hook.item->at.begin < comment.begin;
              });
        if (next == m_hooks.begin()) {
            m_document.head.push_back(std::move(comment.text));
            return;
        }
        const std::size_t last = static_cast<std::size_t>(next - m_hooks.begin()) - 1;
        if (!comment.isAlone) {
            beside(*m_hooks[last].item, std::move(comment.text));
            return;
        }
        Item* following = next == m_hooks.end() ? nullptr : next->item;
        if (following != nullptr && comment.column <= following->at.column) {
            following->before.push_back(std::move(comment.text));
            return;
        }
        std::size_t hook = last;
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

private:
    static void beside(Item& item, std::string text)
    {
        if (item.beside.empty()) {
            item.beside = std::move(text);
        } else {
            item.before.push_back(std::move(text));
        }
    }

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
    Attacher attacher(document, std::move(hooks));
    for (Comment& comment : comments) {
        attacher.attach(std::move(comment));
    }
}

} // namespace policies::yaml

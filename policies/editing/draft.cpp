#include "policies/editing/draft.h"

#include "policies/writing/canon.h"
#include "policies/yaml/parse.h"

#include <algorithm>
#include <optional>

namespace policies::editing {
namespace {

/// A text without mistakes of notation, else the first of them.
engine::Result<yaml::Document> documentOf(std::string_view text)
{
    const yaml::Source source("", text, 0);
    std::vector<engine::Diagnostic> found = yaml::checkBytes(source);
    if (found.empty()) {
        yaml::Parsed parsed = yaml::parse(source);
        if (parsed.document && parsed.diagnostics.empty()) {
            return std::move(*parsed.document);
        }
        found = std::move(parsed.diagnostics);
    }
    return engine::fail(std::move(found.front()));
}

Comments commentsOf(const yaml::Document& document)
{
    Comments all = document.head;
    for (const yaml::Item& item : document.root.items) {
        const Comments more = writing::commentsOf(item);
        all.insert(all.end(), more.begin(), more.end());
    }
    all.insert(all.end(), document.root.after.begin(), document.root.after.end());
    std::sort(all.begin(), all.end());
    return all;
}

/// Later bytes first: so the places of the others stay true. What is put in at the begin of what
/// goes comes after it.
Edits inOrderOfWork(Edits edits)
{
    std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
        return a.begin != b.begin ? a.begin > b.begin : !a.before.empty() && b.before.empty();
    });
    std::erase_if(edits, [](const Edit& edit) { return edit.before == edit.after; });
    return edits;
}

} // namespace

NodePath below(NodePath path, std::size_t index)
{
    path.push_back(index);
    return path;
}

const yaml::Node& nodeAt(const yaml::Node& root, const NodePath& path)
{
    const yaml::Node* node = &root;
    for (const std::size_t index : path) {
        node = &node->items[index].value;
    }
    return *node;
}

yaml::Node& nodeAt(yaml::Node& root, const NodePath& path)
{
    yaml::Node* node = &root;
    for (const std::size_t index : path) {
        node = &node->items[index].value;
    }
    return *node;
}

const yaml::Item& itemAt(const yaml::Node& root, const NodePath& path)
{
    return nodeAt(root, NodePath(path.begin(), path.end() - 1)).items[path.back()];
}

yaml::Item& itemAt(yaml::Node& root, const NodePath& path)
{
    return nodeAt(root, NodePath(path.begin(), path.end() - 1)).items[path.back()];
}

bool isSame(const yaml::Node& a, const yaml::Node& b)
{
    const bool areTexts = a.kind == yaml::Kind::Scalar && a.text == "absent";
    if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size()
        || (areTexts && a.quoted != b.quoted)) {
        return false;
    }
    return std::equal(a.items.begin(), a.items.end(), b.items.begin(),
                      [](const yaml::Item& x, const yaml::Item& y) {
                          return x.key.text == y.key.text && isSame(x.value, y.value);
                      });
}

engine::Result<Draft> Draft::open(std::string_view text)
{
    engine::Result<yaml::Document> document = documentOf(text);
    if (!document) {
        return engine::fail(document.error());
    }
    Draft draft;
    draft.m_text = std::string(text);
    draft.m_comments = commentsOf(*document);
    draft.m_root = std::move(document->root);
    return draft;
}

engine::Status Draft::commit(const yaml::Node& wanted, const std::vector<Edits>& ways,
                             const Comments& kept, bool isExact)
{
    for (const Edits& way : ways) {
        Edits edits = inOrderOfWork(way);
        std::string text = applied(m_text, edits);
        engine::Result<yaml::Document> document = documentOf(text);
        if (!document || !isSame(document->root, wanted)) {
            continue;
        }
        Comments comments = commentsOf(*document);
        const bool areKept
            = std::includes(comments.begin(), comments.end(), kept.begin(), kept.end());
        if (areKept && (!isExact || comments.size() == kept.size())) {
            m_text = std::move(text);
            m_root = std::move(document->root);
            m_comments = std::move(comments);
            m_edits.insert(m_edits.end(), edits.begin(), edits.end());
            return engine::Done {};
        }
    }
    return engine::fail("edit.layout",
                        "the text is laid out in a way that cannot be changed safely",
                        "change it by hand, or write it in its canonical form with `weir export`");
}

} // namespace policies::editing

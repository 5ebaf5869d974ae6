#include "policies/writing/canon.h"

#include "policies/writing/scalar.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>

namespace policies::writing {
namespace {

constexpr std::size_t kColumns = 100;

void collect(const yaml::Item& item, std::vector<std::string>& comments);

void collectInside(const yaml::Node& node, std::vector<std::string>& comments)
{
    for (const yaml::Item& item : node.items) {
        collect(item, comments);
    }
    comments.insert(comments.end(), node.after.begin(), node.after.end());
}

void collect(const yaml::Item& item, std::vector<std::string>& comments)
{
    comments.insert(comments.end(), item.before.begin(), item.before.end());
    if (!item.beside.empty()) {
        comments.push_back(item.beside);
    }
    collectInside(item.value, comments);
}

bool isOnLine(const yaml::Node& node, std::int64_t line)
{
    return node.at.line == line
        && std::all_of(node.items.begin(), node.items.end(), [&](const yaml::Item& item) {
               return item.at.line == line && isOnLine(item.value, line);
           });
}

bool isLeaf(const Canon& canon)
{
    return canon.form == Canon::Form::Scalar || canon.form == Canon::Form::Literal;
}

std::string flowOf(const Canon& canon)
{
    if (canon.form == Canon::Form::Scalar) {
        return canon.text;
    }
    std::string text;
    for (const Canon& item : canon.items) {
        text += text.empty() ? "" : ", ";
        text += item.key.empty() ? flowOf(item) : fmt::format("{}: {}", item.key, flowOf(item));
    }
    if (canon.form == Canon::Form::List) {
        return "[" + text + "]";
    }
    return text.empty() ? "{}" : "{ " + text + " }";
}

class Writer {
public:
    std::string take() { return std::move(m_out); }

    void entries(const Canon& collection, std::size_t indent)
    {
        for (const Canon& item : collection.items) {
            entry(item, indent, collection.form == Canon::Form::List);
        }
        comments(collection.after, indent);
    }

private:
    void comments(const std::vector<std::string>& texts, std::size_t indent)
    {
        for (const std::string& text : texts) {
            m_out += std::string(indent, ' ') + text + "\n";
        }
    }

    void line(std::size_t indent, const std::string& lead, const std::string& text,
              const std::string& beside)
    {
        m_out
            += std::string(indent, ' ') + lead + text + (beside.empty() ? "" : " " + beside) + "\n";
    }

    /// The one comment inside that can stay beside, if there are no others.
    static bool fitsOneLine(const Canon& canon, std::string& beside)
    {
        int count = 0;
        bool isOnlyBeside = true;
        visit(canon, [&](const Canon& one) {
            isOnlyBeside = isOnlyBeside && one.after.empty()
                && (&one == &canon || one.before.empty()) && one.form != Canon::Form::Literal;
            count += one.beside.empty() ? 0 : 1;
            if (!one.beside.empty()) {
                beside = one.beside;
            }
        });
        bool isAtEnd = canon.wasOneLine || !canon.beside.empty();
        for (const Canon* last = &canon; !isAtEnd && !last->items.empty();) {
            last = &last->items.back();
            isAtEnd = !last->beside.empty();
        }
        return isOnlyBeside && (count == 0 || (count == 1 && isAtEnd));
    }

    template <class Function> static void visit(const Canon& canon, const Function& function)
    {
        function(canon);
        for (const Canon& item : canon.items) {
            visit(item, function);
        }
    }

    void entry(const Canon& canon, std::size_t indent, bool isItem)
    {
        if (canon.isApart) {
            m_out += "\n";
        }
        const std::string lead = isItem ? "- " : canon.key + ": ";
        std::string beside;
        const bool isFree = fitsOneLine(canon, beside);
        const bool isEmpty = !isLeaf(canon) && canon.items.empty();
        const bool isShort = canon.form != Canon::Form::Literal
            && (isLeaf(canon) || indent + lead.size() + flowOf(canon).size() <= kColumns);
        const bool isOneLine = isLeaf(canon) || (!canon.isSpread && isFree && isShort);
        comments(canon.before, indent);
        if (canon.form == Canon::Form::Literal) {
            literal(canon, indent, lead);
        } else if (isItem && canon.form == Canon::Form::Map && !isOneLine && !isEmpty) {
            mapItem(canon, indent);
        } else if (isOneLine) {
            line(indent, lead, flowOf(canon), beside);
        } else if (isEmpty) {
            comments(canon.after, indent);
            line(indent, lead, flowOf(canon), canon.beside);
        } else {
            line(indent, canon.key + ":", "", canon.beside);
            entries(canon, indent + 2);
        }
    }

    void mapItem(const Canon& canon, std::size_t indent)
    {
        if (!canon.beside.empty()) {
            comments({canon.beside}, indent);
        }
        comments(canon.items.front().before, indent);
        Canon rest = canon;
        rest.items.front().before.clear();
        Writer inner;
        inner.entries(rest, indent + 2);
        std::string text = inner.take();
        text[indent] = '-';
        m_out += text;
    }

    void literal(const Canon& canon, std::size_t indent, const std::string& lead)
    {
        if (!canon.beside.empty()) {
            comments({canon.beside}, indent);
        }
        const bool isKept = canon.text.back() == '\n';
        line(indent, lead, isKept ? "|" : "|-", "");
        for (std::size_t at = 0; at < canon.text.size();) {
            const std::size_t end = std::min(canon.text.find('\n', at), canon.text.size());
            const std::string text = canon.text.substr(at, end - at);
            m_out += text.empty() ? "\n" : std::string(indent + 2, ' ') + text + "\n";
            at = end + 1;
        }
    }

    std::string m_out;
};

} // namespace

std::vector<std::string> commentsOf(const yaml::Item& item)
{
    std::vector<std::string> comments;
    collect(item, comments);
    return comments;
}

Gather::Gather(const yaml::Node* source)
    : m_source(source)
{
}

void Gather::hang(Canon& canon, const yaml::Item& item)
{
    canon.before.insert(canon.before.end(), item.before.begin(), item.before.end());
    if (!isLeaf(canon)) {
        canon.beside = item.beside;
        canon.wasOneLine = isOnLine(item.value, item.value.at.line);
        return;
    }
    // A single value that the text had as a list or a map: what stood inside comes along.
    std::vector<std::string> inside;
    collectInside(item.value, inside);
    canon.beside = item.beside;
    if (canon.beside.empty() && !inside.empty()) {
        canon.beside = inside.back();
        inside.pop_back();
    }
    canon.before.insert(canon.before.end(), inside.begin(), inside.end());
}

Canon& Gather::add(std::string_view name, Canon value)
{
    if (const yaml::Item* item
        = m_source == nullptr || name.empty() ? nullptr : yaml::find(*m_source, name)) {
        hang(value, *item);
    }
    value.key = name.empty() ? std::string() : scalar(name);
    value.before.insert(value.before.begin(), m_homeless.begin(), m_homeless.end());
    m_homeless.clear();
    m_canon.items.push_back(std::move(value));
    return m_canon.items.back();
}

void Gather::drop(std::string_view name)
{
    if (const yaml::Item* item = m_source == nullptr ? nullptr : yaml::find(*m_source, name)) {
        const std::vector<std::string> comments = commentsOf(*item);
        m_homeless.insert(m_homeless.end(), comments.begin(), comments.end());
    }
}

Canon& Gather::addItem(Canon value, const yaml::Item* item)
{
    if (item != nullptr) {
        hang(value, *item);
    }
    return add({}, std::move(value));
}

Canon Gather::finish(Canon::Form form, bool isSpread)
{
    m_canon.form = form;
    m_canon.isSpread = isSpread;
    m_canon.after = std::move(m_homeless);
    if (m_source != nullptr) {
        m_canon.after.insert(m_canon.after.end(), m_source->after.begin(), m_source->after.end());
    }
    return std::move(m_canon);
}

Canon scalarCanon(std::string text)
{
    Canon canon;
    canon.text = std::move(text);
    return canon;
}

std::string write(const Canon& root)
{
    Writer writer;
    writer.entries(root, 0);
    return writer.take();
}

} // namespace policies::writing

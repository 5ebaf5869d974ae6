#include "storage/logs/head_fit.h"

#include <algorithm>

namespace storage::logs {
namespace {

/// Asks a parser about lines, with and without their wrappers.
class Judge {
public:
    Judge(const LogFormat& format, const HeadLines& head)
        : m_parser(format.parser({}))
        , m_hasMarks(!format.headerMarks().empty())
    {
        m_scratch.arena = &m_arena;
        m_scratch.outer.notAfterNs = head.notAfterNs();
        if (format.hasHeaderLine() && !head.lines().empty()) {
            const HeadLine& first = head.lines().front();
            m_scratch.header.set(first.inner.count > 0 ? first.inner.lines[0] : first.text);
        }
    }

    void judge(const HeadLine& line, HeadFit& fit)
    {
        int best = 0;
        m_scratch.outer.time = line.inner.time;
        for (std::size_t i = 0; i < line.inner.count && best < 2; ++i) {
            best = std::max(best, likenessOf(line.inner.lines[i]));
        }
        m_scratch.outer.time = {};
        bool isInside = best > 0;
        if (best < 2 || !line.inner.isSure) {
            const int whole = likenessOf(line.text);
            isInside = isInside && (best > whole || (best == whole && line.inner.isSure))
                && (line.inner.isSure || isRequestInside(line));
            best = std::max(isInside ? best : 0, whole);
        }
        fit.likeness.push_back(static_cast<std::uint8_t>(best));
        if (best == HeadFit::kDirective) {
            ++fit.directives;
        } else {
            fit.fit += best > 0 ? 1U : 0U;
            fit.exact += best > 1 ? 1U : 0U;
        }
        if (isInside) {
            ++fit.inside;
            ++fit.wrappers[static_cast<std::size_t>(line.inner.kind)];
        }
        forget();
    }

    bool isRequest(const HeadLine& line)
    {
        m_scratch.outer.time = line.inner.time;
        const bool found = parse(line.text) == LineOutcome::Request || isRequestInside(line);
        m_scratch.outer.time = {};
        forget();
        return found;
    }

private:
    /// What may be a wrapper is one where it leaves a request, not only a record of the format: a
    /// row without its date looks like a row that was cut.
    bool isRequestInside(const HeadLine& line)
    {
        m_scratch.outer.time = line.inner.time;
        bool found = false;
        for (std::size_t i = 0; i < line.inner.count && !found; ++i) {
            found = parse(line.inner.lines[i]) == LineOutcome::Request;
        }
        m_scratch.outer.time = {};
        return found;
    }

    LineOutcome parse(std::string_view text)
    {
        ParsedLine parsed;
        return isBlankText(text) ? LineOutcome::NoMatch
                                 : m_parser->parse(text, false, m_scratch, parsed);
    }

    int likenessOf(std::string_view text)
    {
        if (isBlankText(text)) {
            return 0;
        }
        if (m_hasMarks && text.front() == '#' && parse(text) == LineOutcome::Directive) {
            return HeadFit::kDirective;
        }
        return m_parser->likeness(text, m_scratch);
    }

    void forget()
    {
        m_arena.clear();
        m_scratch.parts.clear();
    }

    std::unique_ptr<LineParser> m_parser;
    bool m_hasMarks = false;
    Arena m_arena;
    LineScratch m_scratch;
};

} // namespace

HeadFit fitOf(std::string name, std::shared_ptr<const LogFormat> format, const HeadLines& head)
{
    HeadFit fit;
    Judge judge(*format, head);
    fit.likeness.reserve(head.lines().size());
    for (const HeadLine& line : head.lines()) {
        judge.judge(line, fit);
    }
    fit.name = std::move(name);
    fit.format = std::move(format);
    return fit;
}

std::vector<std::string_view> fittingTexts(const HeadFit& fit, const HeadLines& head)
{
    std::vector<std::string_view> texts;
    for (std::size_t i = 0; i < head.lines().size(); ++i) {
        const HeadLine& line = head.lines()[i];
        if (fit.likeness[i] == 1 || fit.likeness[i] == 2) {
            texts.push_back(fit.inside > 0 && line.inner.count > 0 ? line.inner.lines[0]
                                                                   : line.text);
        }
    }
    return texts;
}

bool hasRequest(const HeadFit& fit, const HeadLines& head)
{
    Judge judge(*fit.format, head);
    bool found = false;
    for (std::size_t i = 0; i < head.lines().size() && !found; ++i) {
        found = fit.likeness[i] > 0 && judge.isRequest(head.lines()[i]);
    }
    return found;
}

} // namespace storage::logs

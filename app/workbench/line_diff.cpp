#include "app/workbench/line_diff.h"

#include "app/workbench/text.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <utility>
#include <vector>

namespace app {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t kAround = 3;
constexpr std::ptrdiff_t kMostChanges = 2'000; ///< beyond them, all is changed

Lines linesOf(std::string_view text)
{
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

struct Step {
    char kind = ' '; ///< ' ' in both, '-' before only, '+' after only
    std::string_view line;
};

/// How far each diagonal (lines of `before` less lines of `after`) came after some changes.
class Reaches {
public:
    explicit Reaches(std::ptrdiff_t changes)
        : m_middle(changes + 1)
        , m_lines(static_cast<std::size_t>(2 * changes + 3), 0)
    {
    }

    std::ptrdiff_t& operator[](std::ptrdiff_t diagonal)
    {
        return m_lines[static_cast<std::size_t>(m_middle + diagonal)];
    }

private:
    std::ptrdiff_t m_middle;
    std::vector<std::ptrdiff_t> m_lines;
};

/// The shortest way from one list of lines to the other, by Myers' greedy algorithm: the work grows
/// with the changes, not with the lines. From the end, backwards.
class Way {
public:
    Way(const Lines& before, const Lines& after)
        : m_before(before)
        , m_after(after)
    {
    }

    std::vector<Step> steps()
    {
        const std::ptrdiff_t most = std::min(kMostChanges, sizeOf(m_before) + sizeOf(m_after));
        for (std::ptrdiff_t changes = 0; changes <= most; ++changes) {
            if (isReached(changes)) {
                return back();
            }
        }
        std::vector<Step> all;
        std::transform(m_before.begin(), m_before.end(), std::back_inserter(all),
                       [](std::string_view line) {
                           return Step {'-', line};
                       });
        std::transform(m_after.begin(), m_after.end(), std::back_inserter(all),
                       [](std::string_view line) {
                           return Step {'+', line};
                       });
        return all;
    }

private:
    static std::ptrdiff_t sizeOf(const Lines& lines)
    {
        return static_cast<std::ptrdiff_t>(lines.size());
    }

    static std::string_view line(const Lines& lines, std::ptrdiff_t index)
    {
        return lines[static_cast<std::size_t>(index)];
    }

    /// Is what leads to the diagonal a line of `after`?
    static bool isAdded(Reaches& last, std::ptrdiff_t diagonal, std::ptrdiff_t changes)
    {
        return diagonal == -changes
            || (diagonal != changes && last[diagonal - 1] < last[diagonal + 1]);
    }

    bool isReached(std::ptrdiff_t changes)
    {
        Reaches now(changes);
        for (std::ptrdiff_t k = -changes; k <= changes; k += 2) {
            std::ptrdiff_t x = 0;
            if (changes > 0) {
                Reaches& last = m_reaches.back();
                x = isAdded(last, k, changes) ? last[k + 1] : last[k - 1] + 1;
            }
            while (x < sizeOf(m_before) && x - k < sizeOf(m_after)
                   && line(m_before, x) == line(m_after, x - k)) {
                ++x;
            }
            now[k] = x;
            if (x >= sizeOf(m_before) && x - k >= sizeOf(m_after)) {
                m_reaches.push_back(std::move(now));
                return true;
            }
        }
        m_reaches.push_back(std::move(now));
        return false;
    }

    std::vector<Step> back()
    {
        std::vector<Step> steps;
        std::ptrdiff_t x = sizeOf(m_before);
        std::ptrdiff_t y = sizeOf(m_after);
        for (std::ptrdiff_t changes = sizeOfReaches() - 1; changes > 0; --changes) {
            Reaches& last = m_reaches[static_cast<std::size_t>(changes - 1)];
            const bool isAddition = isAdded(last, x - y, changes);
            const std::ptrdiff_t k = isAddition ? x - y + 1 : x - y - 1;
            const std::ptrdiff_t from = last[k] + (isAddition ? 0 : 1);
            for (; x > from; --x, --y) {
                steps.push_back({' ', line(m_before, x - 1)});
            }
            steps.push_back(isAddition ? Step {'+', line(m_after, --y)}
                                       : Step {'-', line(m_before, --x)});
        }
        for (; x > 0; --x) {
            steps.push_back({' ', line(m_before, x - 1)});
        }
        std::reverse(steps.begin(), steps.end());
        return steps;
    }

    [[nodiscard]] std::ptrdiff_t sizeOfReaches() const
    {
        return static_cast<std::ptrdiff_t>(m_reaches.size());
    }

    const Lines& m_before;
    const Lines& m_after;
    std::vector<Reaches> m_reaches; ///< after 0, 1, 2, ... changes
};

std::string shown(const Step& step)
{
    std::string_view line = step.line;
    const bool isEnded = line.ends_with('\n');
    line.remove_suffix(isEnded ? 1 : 0);
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    return fmt::format("{}{}\n{}", step.kind, visible(line),
                       isEnded ? "" : "\\ No newline at end of file\n");
}

/// Places are 1-based; of no lines, that of the line before.
std::string hunk(const std::vector<Step>& steps, std::size_t begin, std::size_t end,
                 std::size_t lineBefore, std::size_t lineAfter)
{
    std::size_t olds = 0;
    std::size_t news = 0;
    std::string body;
    for (std::size_t i = begin; i < end; ++i) {
        olds += steps[i].kind != '+' ? 1U : 0U;
        news += steps[i].kind != '-' ? 1U : 0U;
        body += shown(steps[i]);
    }
    return fmt::format("@@ -{},{} +{},{} @@\n{}", lineBefore + (olds > 0 ? 1 : 0), olds,
                       lineAfter + (news > 0 ? 1 : 0), news, body);
}

} // namespace

std::string lineDiff(std::string_view name, std::string_view before, std::string_view after)
{
    if (before == after) {
        return {};
    }
    const Lines linesBefore = linesOf(before);
    const Lines linesAfter = linesOf(after);
    const std::vector<Step> steps = Way(linesBefore, linesAfter).steps();
    std::string text = fmt::format("--- {0}\n+++ {0}\n", escaped(name));
    std::size_t lineBefore = 0;
    std::size_t lineAfter = 0;
    std::size_t done = 0;
    const auto pass = [&](std::size_t to) {
        for (; done < to; ++done) {
            lineBefore += steps[done].kind != '+' ? 1U : 0U;
            lineAfter += steps[done].kind != '-' ? 1U : 0U;
        }
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].kind == ' ') {
            continue;
        }
        std::size_t last = i;
        for (std::size_t k = i; k < steps.size() && k <= last + 2 * kAround; ++k) {
            last = steps[k].kind != ' ' ? k : last;
        }
        const std::size_t end = std::min(last + kAround + 1, steps.size());
        pass(std::max(done, i - std::min(i, kAround)));
        text += hunk(steps, done, end, lineBefore, lineAfter);
        pass(end);
        i = end - 1;
    }
    return text;
}

} // namespace app

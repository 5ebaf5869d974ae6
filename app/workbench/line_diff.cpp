#include "app/workbench/line_diff.h"

#include "app/workbench/text.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

namespace app {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t kAround = 3;
constexpr std::size_t kMostCells = 16'000'000; ///< of the table below; beyond it, all is changed

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

/// The way from one list of lines to the other that keeps most, by the table of longest common
/// subsequences.
std::vector<Step> stepsBetween(const Lines& before, const Lines& after)
{
    std::vector<Step> steps;
    const std::size_t width = after.size() + 1;
    if (before.size() * width > kMostCells) {
        for (const std::string_view line : before) {
            steps.push_back({'-', line});
        }
        for (const std::string_view line : after) {
            steps.push_back({'+', line});
        }
        return steps;
    }
    std::vector<std::uint32_t> kept((before.size() + 1) * width);
    for (std::size_t i = before.size(); i-- > 0;) {
        for (std::size_t j = after.size(); j-- > 0;) {
            kept[i * width + j] = before[i] == after[j]
                ? kept[(i + 1) * width + j + 1] + 1
                : std::max(kept[(i + 1) * width + j], kept[i * width + j + 1]);
        }
    }
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < before.size() || j < after.size()) {
        if (i < before.size() && j < after.size() && before[i] == after[j]) {
            steps.push_back({' ', before[i++]});
            ++j;
        } else if (j == after.size()
                   || (i < before.size() && kept[(i + 1) * width + j] >= kept[i * width + j + 1])) {
            steps.push_back({'-', before[i++]});
        } else {
            steps.push_back({'+', after[j++]});
        }
    }
    return steps;
}

std::string shown(const Step& step)
{
    std::string_view line = step.line;
    const bool isEnded = line.ends_with('\n');
    line.remove_suffix(isEnded ? 1 : 0);
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    return fmt::format("{}{}\n{}", step.kind, escaped(line),
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
    const std::vector<Step> steps = stepsBetween(linesOf(before), linesOf(after));
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

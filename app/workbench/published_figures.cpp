#include "app/workbench/published_figures.h"

#include <array>
#include <fmt/format.h>
#include <utility>

namespace app {
namespace {

constexpr std::array kFigures {
    PublishedFigure {"i", "fixed-window", "a fixed window across an edge, and the exact log",
                     figureOfFixedWindow, ""},
    PublishedFigure {"ii", "second-burst", "a bucket of 500, 100/s: bursts 2 s apart",
                     figureOfSecondBurst, ""},
    PublishedFigure {"iii", "gcra", "GCRA, T = 10 ms, tau = 100 ms", figureOfGcra, ""},
    PublishedFigure {"iv", "greedy-client", "a client that takes all it can of a bucket",
                     figureOfGreedyClient, ""},
    PublishedFigure {"v", "counter", "how far two counters are from the exact log", figureOfCounter,
                     ""},
    PublishedFigure {"vi", "ten-nodes", "ten nodes that count apart", figureOfNodes, ""},
    PublishedFigure {"vii", "memory", "what a log of 500 requests takes for 10,000 users",
                     figureOfMemory, ""},
};

} // namespace

std::span<const PublishedFigure> publishedFigures()
{
    return kFigures;
}

const PublishedFigure* publishedFigure(std::string_view numberOrName)
{
    for (const PublishedFigure& figure : kFigures) {
        if (figure.number == numberOrName || figure.name == numberOrName) {
            return &figure;
        }
    }
    return nullptr;
}

std::string labHelp()
{
    std::string help;
    for (const PublishedFigure& figure : kFigures) {
        help += fmt::format("  {:<3}  {:<13}  {}\n", figure.number, figure.name, figure.title);
    }
    return help;
}

FigureCheck sameText(std::string what, std::string expected, std::string seen)
{
    const bool holds = expected == seen;
    return {std::move(what), std::move(expected), std::move(seen), holds};
}

} // namespace app

// Runs a fuzz entry point without libFuzzer: first every file of the corpus folders given, then
// mutations of them until the time is up. The order of inputs depends on the seed alone.
//
// usage: fuzz_NAME [--seconds S] [--seed N] [--crash FILE] FOLDER_OR_FILE...
//
// The input at which the program dies, or on which it spends more than 10 s, is written to FILE.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// Sanitizers end the program by SIGABRT, which is caught below.
extern "C" const char* __asan_default_options()
{
    return "abort_on_error=1";
}

extern "C" const char* __ubsan_default_options()
{
    return "abort_on_error=1:print_stacktrace=1";
}

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kLargest = 64 * 1024;
constexpr unsigned kSecondsAnInput = 10;

const std::uint8_t* currentData = nullptr;
std::size_t currentSize = 0;
std::string crashFile = "crash";

void keepInput()
{
    const int file = open(crashFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) {
        return;
    }
    std::size_t written = 0;
    while (written < currentSize) {
        const auto now = write(file, currentData + written, currentSize - written);
        if (now <= 0) {
            break;
        }
        written += static_cast<std::size_t>(now);
    }
    close(file);
}

void onSignal(int signal)
{
    keepInput();
    std::signal(signal, SIG_DFL);
    raise(signal);
}

void watchForDeath()
{
    for (const int signal : {SIGABRT, SIGALRM, SIGTERM}) {
        std::signal(signal, onSignal);
    }
#ifndef WEIR_SANITIZES
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
        std::signal(signal, onSignal);
    }
#endif
}

void runOne(const Bytes& input)
{
    // A copy of exactly this size, so that a sanitizer sees one byte too far.
    const Bytes exact(input.begin(), input.end());
    currentData = exact.data();
    currentSize = exact.size();
    alarm(kSecondsAnInput);
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
    alarm(0);
    currentSize = 0;
}

Bytes readFile(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Bytes> readCorpus(const std::vector<std::filesystem::path>& places)
{
    std::vector<std::filesystem::path> files;
    for (const auto& place : places) {
        if (!std::filesystem::is_directory(place)) {
            files.push_back(place);
            continue;
        }
        for (const auto& entry : std::filesystem::recursive_directory_iterator(place)) {
            if (entry.is_regular_file()) {
                files.push_back(entry.path());
            }
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<Bytes> corpus;
    for (const auto& file : files) {
        corpus.push_back(readFile(file));
    }
    return corpus;
}

class Mutator {
public:
    Mutator(const std::vector<Bytes>& corpus, std::uint64_t seed)
        : m_corpus(corpus)
        , m_random(seed)
    {
    }

    Bytes next()
    {
        Bytes input = m_corpus[below(m_corpus.size())];
        for (std::size_t changes = 1 + below(6); changes > 0; --changes) {
            change(input);
        }
        input.resize(std::min(input.size(), kLargest));
        return input;
    }

private:
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(m_random() % bound); }

    std::uint8_t oddByte()
    {
        static constexpr std::array<std::uint8_t, 24> kOdd {
            0,   '\n', '\r', '\t', ' ', '"', '\'', '\\', '[', ']',  '{',  '}',
            ':', ',',  '-',  '#',  '&', '*', '|',  '0',  '9', 0x7f, 0x80, 0xff};
        return below(2) == 0 ? kOdd[below(kOdd.size())] : static_cast<std::uint8_t>(m_random());
    }

    // Whole pieces are copied more often than bytes are changed: texts of a grammar need it.
    void change(Bytes& input)
    {
        const auto at = static_cast<std::ptrdiff_t>(below(input.size() + 1));
        const auto length = static_cast<std::ptrdiff_t>(
            below(std::min<std::size_t>(input.size() - static_cast<std::size_t>(at), 64) + 1));
        switch (below(6)) {
        case 0:
            input.erase(input.begin() + at, input.begin() + at + length);
            break;
        case 1:
            input.insert(input.begin() + at, oddByte());
            break;
        case 2:
            if (at < static_cast<std::ptrdiff_t>(input.size())) {
                input[static_cast<std::size_t>(at)] = oddByte();
            }
            break;
        case 3: {
            const Bytes piece(input.begin() + at, input.begin() + at + length);
            const auto to = static_cast<std::ptrdiff_t>(below(input.size() + 1));
            input.insert(input.begin() + to, piece.begin(), piece.end());
            break;
        }
        case 4: {
            const Bytes& other = m_corpus[below(m_corpus.size())];
            const auto from = static_cast<std::ptrdiff_t>(below(other.size() + 1));
            const auto count = static_cast<std::ptrdiff_t>(
                below(other.size() - static_cast<std::size_t>(from) + 1));
            input.insert(input.begin() + at, other.begin() + from, other.begin() + from + count);
            break;
        }
        default:
            input.resize(static_cast<std::size_t>(at));
        }
    }

    const std::vector<Bytes>& m_corpus;
    std::mt19937_64 m_random;
};

} // namespace

int main(int argc, char** argv)
{
    long seconds = 2;
    std::uint64_t seed = 1;
    std::vector<std::filesystem::path> places;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word.starts_with("--") && i + 1 == argc) {
            std::fprintf(stderr, "%s: %s needs a value\n", argv[0], argv[i]);
            return 2;
        }
        if (word == "--seconds") {
            seconds = std::strtol(argv[++i], nullptr, 10);
        } else if (word == "--seed") {
            seed = std::strtoull(argv[++i], nullptr, 10);
        } else if (word == "--crash") {
            crashFile = argv[++i];
        } else {
            places.emplace_back(word);
        }
    }
    watchForDeath();
    std::vector<Bytes> corpus = readCorpus(places);
    if (corpus.empty()) {
        std::fprintf(stderr, "%s: the corpus is empty: there is nothing to run\n", argv[0]);
        return 2;
    }
    for (const Bytes& input : corpus) {
        runOne(input);
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    Mutator mutator(corpus, seed);
    std::size_t mutations = 0;
    while (std::chrono::steady_clock::now() < end) {
        runOne(mutator.next());
        ++mutations;
    }
    std::printf("%zu inputs of the corpus, %zu mutations (seed %llu)\n", corpus.size(), mutations,
                static_cast<unsigned long long>(seed));
    return 0;
}

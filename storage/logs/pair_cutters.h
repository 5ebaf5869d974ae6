#pragma once
#include "storage/logs/stamps.h"
#include "storage/logs/text.h"

#include <cstddef>
#include <string_view>

/// Lines of named values, pair by pair.
namespace storage::logs {

/// One pair of a line.
struct Pair {
    std::string_view key;
    std::string_view value;
    bool hasEscapes = false;
};

/// Takes pairs off a line of logfmt.
class LogfmtCutter {
public:
    explicit LogfmtCutter(std::string_view line)
        : m_at(line.data())
        , m_end(line.data() + line.size())
    {
    }

    /// False at the end, or where a quote has none (isBroken()).
    bool next(Pair& pair)
    {
        while (m_at < m_end) {
            if (isBlank(*m_at) || *m_at == ',') {
                ++m_at;
                continue;
            }
            const char* const from = m_at;
            while (m_at < m_end && *m_at != '=' && !isBlank(*m_at)) {
                ++m_at;
            }
            if (m_at < m_end && *m_at == '=' && m_at > from) {
                pair.key = {from, static_cast<std::size_t>(m_at - from)};
                ++m_at;
                takeValue(pair);
                m_hasPairs = true;
                return !m_isBroken;
            }
            m_at += m_at < m_end && *m_at == '=' ? 1 : 0;
            if (!m_hasPairs) {
                noteWord({from, static_cast<std::size_t>(m_at - from)});
            }
        }
        return false;
    }

    [[nodiscard]] bool isBroken() const { return m_isBroken; }

    /// A time that stands before the first pair.
    [[nodiscard]] std::string_view prefixTime() const { return m_time; }

private:
    void takeValue(Pair& pair)
    {
        pair.hasEscapes = false;
        if (m_at < m_end && (*m_at == '"' || *m_at == '[')) {
            const char close = *m_at == '"' ? '"' : ']';
            const char* const from = m_at + (close == '"' ? 1 : 0);
            for (m_at = from; m_at < m_end && *m_at != close; ++m_at) {
                if (*m_at == '\\' && close == '"' && m_at + 1 < m_end) {
                    pair.hasEscapes = true;
                    ++m_at;
                }
            }
            m_isBroken = m_at >= m_end;
            const char* const to = m_isBroken ? m_end : m_at + (close == '"' ? 0 : 1);
            pair.value = {from, static_cast<std::size_t>(to - from)};
            m_at = m_isBroken ? m_end : m_at + 1;
            return;
        }
        const char* const from = m_at;
        while (m_at < m_end && !isBlank(*m_at)) {
            ++m_at;
        }
        pair.value = {from, static_cast<std::size_t>(m_at - from)};
        if (pair.value.ends_with(',')) {
            pair.value.remove_suffix(1);
        }
    }

    /// "2012-10-11T03:47:20+00:00", or a date and the clock behind it.
    void noteWord(std::string_view word)
    {
        constexpr std::size_t kDate = 10;
        const bool isDated = word.size() >= kDate && isDigit(word[0]) && word[4] == '-'
            && word[7] == '-' && isDigit(word[9]);
        if (m_time.empty() && isDated) {
            m_time = word;
        } else if (m_time.size() == kDate && word.size() >= 8 && word[2] == ':') {
            m_time = {m_time.data(),
                      static_cast<std::size_t>(word.data() + word.size() - m_time.data())};
        }
    }

    const char* m_at;
    const char* m_end;
    bool m_hasPairs = false;
    bool m_isBroken = false;
    std::string_view m_time;
};

/// Takes pairs off a line of LTSV.
class LtsvCutter {
public:
    explicit LtsvCutter(std::string_view line)
        : m_at(line.data())
        , m_end(line.data() + line.size())
    {
    }

    bool next(Pair& pair)
    {
        while (m_at < m_end) {
            const char* const from = m_at;
            const char* const stop = findByte(m_at, m_end, '\t');
            m_at = stop + 1;
            const char* const colon = findByte(from, stop, ':');
            if (colon < stop && colon > from) {
                pair.key = {from, static_cast<std::size_t>(colon - from)};
                pair.value = {colon + 1, static_cast<std::size_t>(stop - colon - 1)};
                return true;
            }
        }
        return false;
    }

    static bool isBroken() { return false; }

    static std::string_view prefixTime() { return {}; }

private:
    const char* m_at;
    const char* m_end;
};

} // namespace storage::logs

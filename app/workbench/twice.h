#pragma once
#include "app/workbench/read_log.h"
#include "storage/run_records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// Do two LOGs hold the same requests? Two ways to tell: the same bytes (the same fingerprint), and
/// logs of different formats whose first requests are the same ones.
///
/// Looked at are the first requests of each LOG: up to 500, of more than 100 LOGs as many as make
/// 50,000 in all, of more than 1,000 LOGs 50 of each. Logs of which only later parts lie side by
/// side are not noticed. Two requests are taken for one that have the same request id, or the same
/// method, path and client within two seconds. Advice is given from kFewest such pairs on that are
/// a fifth of the smaller sample (of the part that overlaps in time). What is in more than
/// kMostSharing LOGs (a health check, an id that is always `-`) tells nothing of any two of them,
/// so that the work grows with the LOGs and not with their pairs.
class TwiceCheck {
public:
    static constexpr std::size_t kFewest = 5;
    static constexpr std::size_t kMostSharing = 32;

    explicit TwiceCheck(std::size_t logs);

    /// Selects fields in the reader and reads its head.
    void look(std::size_t log, storage::LogReader& reader);

    /// Codes log.twice and log.overlap, five in all at most.
    [[nodiscard]] std::vector<storage::Note> notes(const std::vector<ReadLog>& logs) const;

private:
    struct Seen {
        std::int64_t timeNs = 0;
        std::string id; ///< "" where there is none
        std::string who; ///< method, path and client; "" where one is missing
    };

    struct Sample {
        std::string format;
        std::vector<Seen> requests; ///< in order of time
    };

    struct Shared {
        std::size_t byId = 0;
        std::size_t byWho = 0;
    };

    class Index;

    [[nodiscard]] std::size_t overlapOf(std::size_t a, std::size_t b) const;
    [[nodiscard]] std::optional<storage::Note> noteOf(const std::vector<ReadLog>& logs,
                                                      std::size_t a, std::size_t b,
                                                      const Shared& shared) const;

    std::size_t m_share; ///< requests of each LOG
    std::vector<Sample> m_samples;
};

} // namespace app

#pragma once
#include "app/workbench/read_log.h"
#include "storage/run_records.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app {

/// Do two LOGs hold the same requests? Two ways to tell: the same bytes (the same fingerprint), and
/// logs of different formats whose first requests are the same ones.
///
/// Looked at are the first requests of each LOG (at most 500, 50,000 in all), so
/// that memory is bounded: logs of which only later parts lie side by side are not noticed. Two
/// requests are taken for one that have the same request id, or the same method, path and client
/// within two seconds. Advice is given from kFewest such pairs on that are a fifth of the smaller
/// sample (of the part that overlaps in time).
class TwiceCheck {
public:
    static constexpr std::size_t kFewest = 5;

    explicit TwiceCheck(std::size_t logs);

    /// Selects fields in the reader and reads its head.
    void look(std::size_t log, storage::LogReader& reader);

    /// Codes log.twice and log.overlap.
    [[nodiscard]] std::vector<storage::Note> notes(const std::vector<ReadLog>& logs) const;

private:
    struct Seen {
        std::int64_t timeNs = 0;
        std::string id; ///< "" where there is none
        std::string who; ///< method, path and client; "" where one is missing
    };

    struct Sample {
        std::string format;
        std::vector<Seen> requests;
    };

    struct Shared {
        std::size_t count = 0;
        std::size_t of = 0; ///< requests of the smaller sample that lie within the other
        bool byId = false;
    };

    static Shared sharedBy(const Sample& a, const Sample& b);

    std::size_t m_share; ///< requests of each LOG
    std::vector<Sample> m_samples;
};

} // namespace app

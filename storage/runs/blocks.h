#pragma once
#include "storage/run_results.h"
#include "storage/runs/columns.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Blocks of 65,536 requests in order of arrival as compressed columns, there and back.
namespace storage::runs {

inline constexpr std::uint32_t kBlockRequests = 65'536;

/// How much of arrival -> n a block tells. What the store may spend is one bit a request for all
/// of its verdicts.
enum class NumberDetail : std::uint8_t {
    Exact = 0, ///< every request
    Ordered = 1, ///< exact for requests with a row; the others in ascending order
    Rows = 2, ///< requests with a row only; 0 for the others
};

/// A request whose outcome is not plainly admitted.
struct Special {
    std::uint32_t position = 0;
    StoredOutcome outcome = StoredOutcome::Admitted;
    std::uint32_t rule = engine::kNoId;
    std::uint32_t shadowRule = engine::kNoId;

    /// Rejected, or denied by a shadow rule, and in the figures: has a row.
    [[nodiscard]] bool hasRow() const
    {
        return outcome == StoredOutcome::Rejected
            || (outcome == StoredOutcome::Admitted && shadowRule != engine::kNoId);
    }
};

std::string encodeVerdicts(const std::vector<Special>& specials, Compressor& compressor);
/// `requests` bounds every position. False for bytes that are no such column.
bool decodeVerdicts(std::string_view bytes, std::uint32_t requests, Decompressor& decompressor,
                    std::vector<Special>& specials);

/// Rows by position. Without keys for the recorded side, where the rule decides nothing.
std::string encodeRows(const std::vector<RejectionRow>& rows, bool withKeys,
                       Compressor& compressor);
/// `rows` comes with position and rule filled.
bool decodeRows(std::string_view bytes, bool withKeys, Decompressor& decompressor,
                std::vector<RejectionRow>& rows);

/// Arrival -> n of a block.
class NumberColumn {
public:
    struct Encoded {
        NumberDetail detail = NumberDetail::Exact;
        std::string bytes;
    };

    /// As much detail as `budget` bytes allow. `rows` are the requests with a row.
    Encoded encode(const std::vector<std::uint64_t>& numbers, const std::vector<RejectionRow>& rows,
                   std::size_t budget, Compressor& compressor);
    bool decode(NumberDetail detail, std::string_view bytes, std::uint32_t requests,
                const std::vector<RejectionRow>& rows, Decompressor& decompressor,
                std::vector<std::uint64_t>& numbers);

private:
    void sortAll(const std::vector<std::uint64_t>& numbers);
    void removeRows(const std::vector<RejectionRow>& rows);
    [[nodiscard]] std::int64_t placeOf(std::size_t i) const;
    [[nodiscard]] bool isTooMixed() const;

    std::vector<std::uint8_t> m_hasRow;
    std::vector<std::uint64_t> m_others; ///< of requests without a row, by position
    std::vector<std::uint64_t> m_sorted;
    std::vector<std::uint64_t> m_words;
    std::vector<std::uint64_t> m_values;
};

/// What production did with the requests of a block.
struct RecordedMarks {
    std::vector<std::uint8_t> known; ///< 0 or 1 for each request
    std::vector<std::uint32_t> rejected; ///< positions
};

std::string encodeMarks(const RecordedMarks& marks, Compressor& compressor);
bool decodeMarks(std::string_view bytes, std::uint32_t requests, Decompressor& decompressor,
                 RecordedMarks& marks);

} // namespace storage::runs

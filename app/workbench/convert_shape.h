#pragma once
#include "app/workbench/key_sample.h"
#include "app/workbench/pseudonym.h"
#include "engine/plan.h"
#include "engine/request.h"
#include "engine/resolver.h"
#include "engine/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// What a conversion keeps of a request, and under which values.
struct ConvertShape {
    /// Keep what these read (and who sent it, its status and duration), and give what they derive
    /// of masked fields as `resolved.NAME`, whether a rule uses it or only --by and gates ask for
    /// it. None: keep all.
    std::vector<const engine::Plan*> plans;
    engine::Match where; ///< in the terms of the first plan
    /// What else in a line carries the value of one of these is masked as well: a field that is the
    /// value (`http_x_api_key`), an entry of a list, a parameter of the query; with client_ip every
    /// address of the lists of addresses (`x_forwarded_for`).
    std::vector<std::string> mask;
    MaskKey maskKey;
    std::optional<KeySample> sample;
};

/// Shapes the requests of a conversion, block by block.
class Shaper {
public:
    /// `fields`: what the LOGs have. Errors: resolver.differs; convert.no-attribute (one to mask or
    /// to sample by that no LOG has, with the near one; duration
    /// and status, which are numbers).
    static engine::Result<std::unique_ptr<Shaper>> make(const ConvertShape& shape,
                                                        const std::vector<std::string>& fields);
    ~Shaper();
    Shaper(const Shaper&) = delete;
    Shaper& operator=(const Shaper&) = delete;

    /// What to read of the LOGs.
    [[nodiscard]] const std::vector<std::string>& reads() const;
    /// What is written.
    [[nodiscard]] const std::vector<std::string>& writes() const;

    /// A block's requests as they are written; keeps its memory, and what `batch` points into.
    class Shaped;

    struct DeleteShaped {
        void operator()(Shaped* shaped) const;
    };

    using ShapedPtr = std::unique_ptr<Shaped, DeleteShaped>;
    [[nodiscard]] ShapedPtr makeShaped() const;

    /// Any thread, each block with its own Shaped. The result is valid until the next call with it,
    /// and as long as `read` is.
    const engine::RequestBatch& shape(const engine::RequestBatch& read, Shaped& shaped) const;

    struct LeftOut {
        std::uint64_t byWhere = 0;
        std::uint64_t bySample = 0;
        std::uint64_t withoutKey = 0; ///< have no value to sample by
        /// By writes(): lines in which a field that is not masked still has a masked value, inside
        /// of another text.
        std::vector<std::uint64_t> stillShown {};
    };

    [[nodiscard]] static LeftOut leftOut(const Shaped& shaped); ///< of the last block

private:
    class Parts;
    explicit Shaper(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace app

#pragma once
#include "engine/result.h"

#include <functional>
#include <string_view>

namespace storage::logs {

/// Packs a text as a stream, in one part. The counterpart of Decoder; each packing has its encoder
/// in the same file.
class Encoder {
public:
    using Sink = std::function<engine::Status(std::string_view packed)>;

    Encoder() = default;
    virtual ~Encoder() = default;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    /// Packs `text` and hands on what is ready; with `isLast` all there is. Errors: the sink's.
    virtual engine::Status add(std::string_view text, bool isLast, const Sink& sink) = 0;
};

} // namespace storage::logs

#pragma once
#include "engine/result.h"

#include <string>
#include <string_view>

namespace app::cli {

/// Results on their way to stdout. Buffered; what was written stays in order.
///
/// A reader that goes away (`| head`) is no error: the rest is dropped, and isGone() lets a verb
/// stop early. A disk that is full is one: finish() says so. One thread.
class Output {
public:
    explicit Output(int descriptor);

    void write(std::string_view text);
    void flush();

    /// Nobody reads any more.
    [[nodiscard]] bool isGone() const { return m_isGone; }

    /// Errors: cli.output (what was written did not arrive).
    [[nodiscard]] engine::Status finish();

private:
    int m_descriptor;
    std::string m_waiting;
    bool m_isGone = false;
    int m_error = 0; ///< errno of the first failure
};

} // namespace app::cli

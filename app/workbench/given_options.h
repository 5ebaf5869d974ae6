#pragma once
#include "storage/run_records.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Options as somebody wrote them, in order, by the names of the command line without its dashes:
/// {"from", "2026-11-28"}, {"reorder", "90s"}. What they mean is read in one place for all faces:
/// log_options.h and replay_options.h.
class GivenOptions {
public:
    /// An option that is given several times keeps all its values; the last one holds where only
    /// one can.
    void add(std::string name, std::string value)
    {
        m_options.push_back({std::move(name), std::move(value)});
    }

    [[nodiscard]] bool has(std::string_view name) const
    {
        return std::any_of(m_options.begin(), m_options.end(),
                           [name](const storage::Option& option) { return option.name == name; });
    }

    [[nodiscard]] std::optional<std::string> text(std::string_view name) const
    {
        std::optional<std::string> last;
        for (const storage::Option& option : m_options) {
            if (option.name == name) {
                last = option.value;
            }
        }
        return last;
    }

    [[nodiscard]] std::vector<std::string> all(std::string_view name) const
    {
        std::vector<std::string> values;
        for (const storage::Option& option : m_options) {
            if (option.name == name) {
                values.push_back(option.value);
            }
        }
        return values;
    }

    [[nodiscard]] const std::vector<storage::Option>& inOrder() const { return m_options; }

private:
    std::vector<storage::Option> m_options;
};

} // namespace app

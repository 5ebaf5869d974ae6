#pragma once
#include "engine/clients.h"
#include "tests/support/model/model.h"

#include <map>
#include <optional>
#include <string>

namespace tests::model {

/// Clients that come again: what each does after a rejection, and what came of all.
class Crowd {
public:
    /// who: the attribute that names a client. Borrows the profile.
    Crowd(const engine::ClientProfile& profile, std::string who, std::uint64_t seed);

    struct Attempt {
        std::uint64_t n = 0;
        int number = 1;
        std::int64_t previousWaitNs = 0;
    };

    /// An attempt was decided: the wait until the next one, nothing if there is none.
    std::optional<std::int64_t> decided(const Request& request, const Attempt& attempt,
                                        bool isAdmitted, std::optional<std::int64_t> retryAfterNs);

    [[nodiscard]] const std::vector<Outcomes>& outcomes() const { return m_outcomes; }

private:
    struct Client {
        std::size_t behaviour = 0;
        std::uint64_t first = 0;
        std::uint64_t retries = 0; ///< made, and waited for
    };

    const engine::ClientProfile& m_profile;
    std::string m_who;
    std::uint64_t m_seed;
    std::map<std::string, Client> m_clients;
    std::vector<Outcomes> m_outcomes; ///< by behaviour
};

} // namespace tests::model

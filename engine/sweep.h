#pragma once
#include "engine/intake.h"
#include "engine/plan.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace engine {

/// Plans that differ in the limit of one rule (or of its overrides), all decided in one go.
///
/// As long as all plans have counted the same requests of a key, a rule has one state for it. Where
/// they part, the state is copied, and from then on each group of plans has its own: so what costs
/// is the keys that the varied limit touches, not the number of plans. Each plan decides exactly as
/// a Limiter of its own would.
///
/// Example: rule `search` at 10/min and at 20/min; a key sends 15 at once. Ten requests share all
/// states; the 11th is rejected by one plan, and the states of its key in `search` and in all later
/// rules part.
///
/// Borrows intake and plans. One thread.
class Sweep {
public:
    static constexpr std::size_t kMostPlans = 64;

    /// Why these plans cannot share states; nullptr if they can. They must differ in limits only.
    ///
    /// A queue, slots that a later tier gives back, and all_or_nothing let what happens later act
    /// on what came before: such plans need limiters of their own.
    static const char* whyNot(const std::vector<const Plan*>& plans);

    /// Plans of which whyNot() says nothing, at least one. The intake has been made of the first.
    Sweep(const Intake& intake, const std::vector<const Plan*>& plans);
    ~Sweep();
    Sweep(const Sweep&) = delete;
    Sweep& operator=(const Sweep&) = delete;

    /// What plans say of one request, a bit for each plan.
    struct Verdicts {
        std::uint64_t rejected = 0;
        std::uint64_t wouldReject = 0; ///< admitted, but a shadow rule denied
    };

    /// Requests in the order in which a replay decides them. Not to be counted: of the warm-up.
    Verdicts decide(const Arrival& arrival, bool counts = true);
    /// A hint, and no more: the request will be decided soon.
    void expect(const Arrival& arrival);

    /// What one rule of one plan did.
    struct RuleCounts {
        std::uint64_t judged = 0;
        std::uint64_t denied = 0;
        std::uint64_t rejected = 0; ///< it was the first enforcing rule of its tier to deny
    };

    [[nodiscard]] RuleCounts counts(std::size_t plan, std::size_t rule) const;
    /// Requests that an exemption let pass.
    [[nodiscard]] std::uint64_t exempt() const;

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace engine

#pragma once
#include "engine/arrival.h"
#include "engine/plan.h"
#include "engine/request.h"
#include "engine/result.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// Which rules of one plan a request meets. Requests that meet the same rules in the same way share
/// one profile.
struct Profile {
    struct Skip {
        std::uint32_t rule = 0;
        std::uint32_t attribute = 0; ///< position in the rule's key, or key size for `duration`
    };

    std::uint32_t exemption = kNoId; ///< index in Plan::exempt; then nothing else applies
    std::array<std::vector<std::uint32_t>, kTierCount> rules; ///< that apply, in policy order
    std::vector<Skip> skips; ///< that match but lack an attribute
};

/// "resolved.plan" is the value that `plan` had before api_key, which it is derived from, was
/// masked.
inline constexpr std::string_view kResolvedPrefix = "resolved.";

/// What an intake is asked for beside the plans themselves.
struct IntakeOptions {
    /// Attributes, in order of preference, that may say who sent a request. With one entry it is
    /// that one; with several, chooseWho() picks.
    std::vector<std::string> who {"api_key", "user", "client_ip"};
    /// Requests that do not match are left out, counted. In the terms of the first plan: its
    /// derived attributes, else the log's own.
    Match where;
    Match mark; ///< likewise: sets kArrivalMarked, changes nothing else
    /// What production rejected. Known of requests that have all attributes of it.
    Match recordedRejection {{"status", false, {{TestKind::Equals, "429", 0, 0}}}};
    std::vector<Match> otherRejections; ///< so does what any of these holds for
    std::vector<std::string> recordedBy; ///< known also of requests that have one of these
    bool dropRecorded = false; ///< what production rejected is left out, counted as dropped()
    /// Derived attributes that this log has the values of, as the field kResolvedPrefix + name: a
    /// request that has that field has this value, whatever the plan would derive. For logs whose
    /// sources were masked after they were resolved.
    std::vector<std::string> resolved {};
    std::vector<std::string> facets; ///< attributes interned for each request (compare --by)
};

/// Turns requests into arrivals: normalises, derives, matches, hashes (any thread), then interns
/// (one thread, in input order).
///
/// The plans are borrowed and must outlive the intake. fields() tells the log reader what to read:
/// values[f] of a RequestBatch is the attribute fields()[f]. An attribute derived under the name
/// of one in the log replaces it. All plans of one intake share key tuples that mean the same.
///
/// Example: two plans that both key on [client_ip] share one tuple; 1,000 requests of 10 addresses
/// give ids 0 to 9 in it, numbered in order of first appearance.
class Intake {
public:
    /// Errors: intake.who, intake.facet (an attribute of the options that cannot be).
    static Result<std::unique_ptr<Intake>> make(std::vector<const Plan*> plans,
                                                IntakeOptions options);
    ~Intake();
    Intake(const Intake&) = delete;
    Intake& operator=(const Intake&) = delete;

    [[nodiscard]] const std::vector<std::string>& fields() const;
    [[nodiscard]] const ArrivalLayout& layout() const;
    [[nodiscard]] const std::vector<const Plan*>& plans() const;

    /// Settles which attribute is `who` from the first requests of the log: the first candidate
    /// that at least half of them have, else the last candidate. Call once before prepare() (with
    /// an empty batch for an empty log). Which it was: who().
    void chooseWho(const RequestBatch& first);
    [[nodiscard]] const std::string& who() const;

    /// What prepare() gives for one batch. Reuse it: it keeps its memory.
    class Prepared;

    struct DeletePrepared {
        void operator()(Prepared* prepared) const;
    };

    using PreparedPtr = std::unique_ptr<Prepared, DeletePrepared>;
    [[nodiscard]] PreparedPtr makePrepared() const;

    /// Any thread, any number at once (each with its own Prepared). `batch` must live until the
    /// Prepared was interned.
    void prepare(const RequestBatch& batch, Prepared& prepared) const;

    /// The arrivals of one batch, each of layout().size() bytes, at equal distances.
    struct Interned {
        std::byte* arrivals = nullptr;
        std::size_t stride = 0;
        std::span<const std::uint32_t> requests; ///< of each: its place in the batch

        [[nodiscard]] std::size_t size() const { return requests.size(); }

        [[nodiscard]] Arrival& arrival(std::size_t i) const
        {
            return *reinterpret_cast<Arrival*>(arrivals + i * stride);
        }
    };

    /// One thread, batches in input order. Numbers requests from 1 on; gives those that `where`
    /// lets through. Valid until the next call.
    [[nodiscard]] Interned internAll(const Prepared& prepared);

    /// The same; calls `take` for each, with an arrival that is valid during the call.
    using Take = std::function<void(Arrival& arrival, const Request& request)>;
    void intern(const Prepared& prepared, const Take& take);

    /// Requests read so far, and those of them that `where` left out.
    [[nodiscard]] std::uint64_t requests() const;
    [[nodiscard]] std::uint64_t leftOut() const;
    /// Requests that were left out because production had rejected them.
    [[nodiscard]] std::uint64_t dropped() const;
    /// Requests without a usable value for the cost of `plans()[plan]->rules[rule]`.
    [[nodiscard]] std::uint64_t costMissing(std::size_t plan, std::size_t rule) const;
    /// How many requests had the attribute fields()[field].
    [[nodiscard]] std::uint64_t filled(std::size_t field) const;

    // What the ids mean. Serial stage only.
    [[nodiscard]] const Profile& profile(std::size_t plan, std::uint32_t id) const;
    [[nodiscard]] std::size_t profileCount(std::size_t plan) const;
    [[nodiscard]] std::size_t tupleOf(std::size_t plan,
                                      std::size_t rule) const; ///< tuple of a rule's key
    [[nodiscard]] std::size_t costOf(std::size_t plan,
                                     std::size_t rule) const; ///< index of its cost, or kFixedCost
    [[nodiscard]] std::size_t
    facetTuple(std::size_t plan, std::size_t facet) const; ///< tuple of options.facets[facet]
    [[nodiscard]] std::size_t keyCount(std::size_t tuple) const;
    [[nodiscard]] std::vector<std::string_view> keyText(std::size_t tuple, std::uint32_t id) const;
    [[nodiscard]] std::string_view whoText(std::uint32_t id) const; ///< kNoId: ""
    [[nodiscard]] std::size_t whoCount() const;
    [[nodiscard]] std::string_view pathGroupText(std::size_t plan, std::uint32_t id) const;
    [[nodiscard]] std::size_t pathGroupCount(std::size_t plan) const;

    static constexpr std::size_t kFixedCost = static_cast<std::size_t>(-1);

private:
    class Parts;
    explicit Intake(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace engine

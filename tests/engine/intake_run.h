#pragma once
#include "engine/intake.h"

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// Plays requests written as attributes through an intake.
namespace intake_run {

struct Input {
    std::map<std::string, std::string> attributes;
    std::int64_t durationNs = engine::kUnknownDuration;
};

/// A copy of an arrival with what stands behind it.
class Output {
public:
    Output(const engine::Arrival& arrival, const engine::ArrivalLayout& layout)
        : m_words((layout.size() + 7) / 8)
    {
        std::memcpy(m_words.data(), &arrival, layout.size());
    }

    [[nodiscard]] const engine::Arrival& arrival() const
    {
        return *reinterpret_cast<const engine::Arrival*>(m_words.data());
    }

    [[nodiscard]] engine::Arrival& arrival()
    {
        return *reinterpret_cast<engine::Arrival*>(m_words.data());
    }

    bool operator==(const Output&) const = default;

private:
    std::vector<std::uint64_t> m_words;
};

struct Batch {
    std::vector<std::string> texts; ///< owns what the views point at
    engine::RequestBatch requests;
};

inline Batch batchOf(const std::vector<std::string>& fields, const std::vector<Input>& inputs,
                     std::size_t begin, std::size_t end)
{
    Batch batch;
    batch.requests.fieldCount = fields.size();
    batch.texts.reserve((end - begin) * fields.size());
    for (std::size_t i = begin; i < end; ++i) {
        engine::Request request;
        request.timeNs = static_cast<std::int64_t>(i) * 1000;
        request.line = i + 1;
        request.durationNs = inputs[i].durationNs;
        batch.requests.requests.push_back(request);
        for (const std::string& field : fields) {
            const auto found = inputs[i].attributes.find(field);
            if (found == inputs[i].attributes.end()) {
                batch.requests.values.emplace_back();
            } else {
                batch.texts.push_back(found->second);
                batch.requests.values.emplace_back(batch.texts.back());
            }
        }
    }
    return batch;
}

inline std::vector<Output> play(engine::Intake& intake, const std::vector<Input>& inputs,
                                std::size_t batchSize = 1000)
{
    std::vector<Output> outputs;
    const auto prepared = intake.makePrepared();
    for (std::size_t begin = 0; begin < inputs.size(); begin += batchSize) {
        const std::size_t end = std::min(inputs.size(), begin + batchSize);
        const Batch batch = batchOf(intake.fields(), inputs, begin, end);
        intake.prepare(batch.requests, *prepared);
        intake.intern(*prepared, [&](engine::Arrival& arrival, const engine::Request&) {
            outputs.emplace_back(arrival, intake.layout());
        });
    }
    return outputs;
}

inline std::unique_ptr<engine::Intake> make(const std::vector<const engine::Plan*>& plans,
                                            engine::IntakeOptions options = {})
{
    return std::move(engine::Intake::make(plans, std::move(options))).value();
}

inline engine::PlanRule rule(std::string name, std::vector<std::string> key,
                             engine::Match match = {})
{
    engine::PlanRule made;
    made.rule = std::move(name);
    made.key = std::move(key);
    made.match = std::move(match);
    return made;
}

inline engine::Test equals(std::string text)
{
    return {engine::TestKind::Equals, std::move(text), 0, 0};
}

inline engine::Test path(std::string text)
{
    return {engine::TestKind::Path, std::move(text), 0, 0};
}

inline engine::Test absent()
{
    return {engine::TestKind::Absent, {}, 0, 0};
}

/// Does one entry hold for one request?
inline bool holds(const engine::Matcher& matcher, const Input& input)
{
    engine::Plan plan;
    plan.rules = {rule("r", {}, {matcher})};
    const auto intake = make({&plan});
    const std::vector<Output> outputs = play(*intake, {input});
    const std::uint32_t id = outputs[0].arrival().ids()[intake->layout().profileAt(0)];
    return !intake->profile(0, id).rules[0].empty();
}

/// The value of an attribute of a plan for one request; "(missing)" where there is none.
inline std::string valueOf(const engine::Plan& attributes, const std::string& name,
                           const Input& input)
{
    engine::IntakeOptions options;
    options.facets = {name};
    const auto intake = make({&attributes}, options);
    const std::vector<Output> outputs = play(*intake, {input});
    const std::size_t tuple = intake->facetTuple(0, 0);
    const std::uint32_t id = outputs[0].arrival().ids()[intake->layout().tupleAt(tuple)];
    return id == engine::kNoId ? "(missing)" : std::string(intake->keyText(tuple, id)[0]);
}

} // namespace intake_run

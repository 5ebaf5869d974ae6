#include "app/workbench/recorded.h"

#include "app/workbench/where.h"

#include <algorithm>
#include <array>

namespace app {
namespace {

constexpr std::string_view kOption = "--recorded-rejection";

/// A sign that a field gives, under the name of who writes it.
struct Sign {
    std::string_view name;
    std::string_view field;
    std::string_view match;
    bool isAutomatic = false; ///< counts where the log has the field
};

constexpr std::array kSigns {
    Sign {"nginx", "limit_req_status", "limit_req_status=REJECTED", true},
    Sign {"nginx-dry-run", "limit_req_status", "limit_req_status=[REJECTED, REJECTED_DRY_RUN]"},
    Sign {"envoy", "response_flags", R"(response_flags=[RL, "RL,*", "*,RL", "*,RL,*"])", true},
    Sign {"haproxy", "termination_state", "termination_state=[PR*, PT*]"},
};

engine::Match matchOf(const Sign& sign)
{
    return *parseMatch(sign.match, std::string(kOption)); // constants: a test reads them all
}

} // namespace

engine::Status readRecorded(const std::string& text, engine::IntakeOptions& intake)
{
    const auto sign = std::find_if(kSigns.begin(), kSigns.end(),
                                   [&text](const Sign& known) { return known.name == text; });
    if (sign != kSigns.end()) {
        intake.recordedRejection.clear();
        intake.otherRejections = {matchOf(*sign)};
        intake.recordedBy = {"status", std::string(sign->field)};
        return engine::Done {};
    }
    engine::Result<engine::Match> match = parseMatch(text, std::string(kOption));
    if (!match) {
        engine::Diagnostic diagnostic = match.error();
        diagnostic.help += "; or one of nginx, nginx-dry-run, envoy, haproxy";
        return engine::fail(std::move(diagnostic));
    }
    intake.recordedRejection = std::move(*match);
    return engine::Done {};
}

const std::vector<std::string>& recordedFields()
{
    static const std::vector<std::string> kFields = [] {
        std::vector<std::string> fields;
        for (const Sign& sign : kSigns) {
            if (sign.isAutomatic) {
                fields.emplace_back(sign.field);
            }
        }
        return fields;
    }();
    return kFields;
}

void addRecordedSigns(const std::vector<std::string>& fields, engine::IntakeOptions& intake)
{
    for (const Sign& sign : kSigns) {
        if (sign.isAutomatic
            && std::find(fields.begin(), fields.end(), sign.field) != fields.end()) {
            intake.otherRejections.push_back(matchOf(sign));
            intake.recordedBy.emplace_back(sign.field);
        }
    }
}

} // namespace app

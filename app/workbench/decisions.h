#pragma once
#include "app/workbench/pass.h"
#include "engine/answer.h"
#include "engine/decision.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// Writes the decisions of plan 0 as JSON Lines, in the order of decision (--decisions).
///
/// Register it as the pass's decision sink and as a listener: when the log is read a second time
/// the file starts anew. One thread.
///
/// While several LOGs are read side by side the numbers of their requests are known only at the
/// end: decisions then wait in an unlinked temporary file, and finish() writes them with their
/// numbers.
class DecisionFile final : public PassListener, public engine::DecisionSink {
public:
    struct Options {
        bool numbersComeLater = false;
        /// The form of what the client is told, which stands behind `rules` then; nothing: it is
        /// left out (--answers).
        std::optional<engine::HeaderStyle> answers;
    };

    /// Makes the file, or empties it. Errors: file.write; later also file.gone (a pipe whose reader
    /// has gone).
    static engine::Result<std::unique_ptr<DecisionFile>>
    create(const std::string& path, const engine::Plan& plan, const Options& options);
    ~DecisionFile() override;

    engine::Status begin(const engine::Intake& intake, const engine::Replay& replay) override;

    void settle(const engine::Settled&) override { }

    engine::Status health() override;

    bool wants(std::size_t plan, const engine::Arrival&) override { return plan == 0; }

    void decided(std::size_t plan, const engine::Decision& decision) override;

    /// Writes what is left; `numbers` are those of the pass. Errors: file.write.
    engine::Status finish(const storage::RequestNumbers& numbers = {});

private:
    DecisionFile(std::string path, std::FILE* file, std::FILE* waiting, const engine::Plan& plan,
                 const Options& options);
    void copyNumbered(const storage::RequestNumbers& numbers);
    void flush();
    void appendRule(const engine::RuleDecision& rule);
    void appendAnswer(const engine::Decision& decision);
    [[nodiscard]] engine::Failure failure() const;

    std::string m_path;
    std::FILE* m_file; ///< that is asked for
    std::FILE* m_numberless; ///< where decisions wait for their numbers; nullptr: nowhere
    const engine::Plan& m_plan;
    std::optional<engine::HeaderStyle> m_answers;
    std::string m_waiting;
    std::vector<std::string> m_ruleHeads; ///< what is the same in each object of a rule
    int m_error = 0; ///< errno of the first failure
};

} // namespace app

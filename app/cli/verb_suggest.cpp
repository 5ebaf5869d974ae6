#include "app/cli/log_args.h"
#include "app/cli/replay_args.h"
#include "app/cli/suggest_view.h"
#include "app/cli/usage.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/missing_notes.h"
#include "app/workbench/where.h"
#include "policies/rates.h"

#include <algorithm>
#include <fmt/format.h>

namespace app::cli {
namespace {

constexpr std::int64_t kMinuteNs = 60'000'000'000;
constexpr std::int64_t kHourNs = 60 * kMinuteNs;
constexpr std::string_view kEverybody = "[]";
constexpr const char* kNobodyHelp
    = "look at its names and values: `weir inspect LOG` says what the requests have";

/// --key, each a list of attributes.
engine::Result<std::vector<std::vector<std::string>>> readKeys(const LowArgs& args)
{
    std::vector<std::vector<std::string>> keys;
    for (const std::string& text : args.all(OptionId::Key)) {
        std::vector<std::string>& key = keys.emplace_back();
        if (text == kEverybody) {
            continue;
        }
        for (std::size_t at = 0; at <= text.size();) {
            const std::size_t end = std::min(text.find(',', at), text.size());
            std::string name = text.substr(at, end - at);
            if (name.empty() || std::find(key.begin(), key.end(), name) != key.end()) {
                return usage(fmt::format("`--key {}` is no list of attributes", text),
                             "write attributes with commas, each once, like "
                             "`--key client_ip,method`; `--key []` is everybody together");
            }
            key.push_back(std::move(name));
            at = end + 1;
        }
    }
    if (keys.empty()) {
        return usage("suggest needs to know what to limit by",
                     "write `--key client_ip`, several times for several keys side by side");
    }
    return keys;
}

/// --window, --rate and --limit.
engine::Status readMeasures(const LowArgs& args, SuggestRequest& request)
{
    for (const std::string& text : listOf(args, OptionId::Window)) {
        const engine::Result<std::int64_t> length = parseDuration(text);
        if (!length || *length < 1 || *length > std::int64_t {1} << 62) {
            return usage(fmt::format("`--window {}` is no length of a window", text),
                         "write a duration above 0, like 1min");
        }
        request.windowsNs.push_back(*length);
    }
    for (const std::string& text : listOf(args, OptionId::Rate)) {
        const engine::Result<engine::Rate> rate = policies::readRate(text);
        if (!rate || rate->count < 1) {
            return usage(fmt::format("`--rate {}` is no rate", text),
                         rate ? "write a rate above 0" : rate.error().help);
        }
        request.rates.push_back(*rate);
    }
    for (const std::string& text : listOf(args, OptionId::Limit)) {
        const std::optional<std::int64_t> limit = parseWhole(text);
        if (!limit || *limit < 1) {
            return usage(fmt::format("`--limit {}` is no limit", text),
                         "write a whole number above 0");
        }
        request.limits.push_back(*limit);
    }
    if (request.windowsNs.empty() && request.rates.empty()) {
        request.windowsNs = {kMinuteNs, kHourNs};
    }
    return engine::Done {};
}

engine::Status readMatches(const LowArgs& args, SuggestRequest& request)
{
    for (const auto& [option, match] :
         {std::pair(OptionId::Stop, &request.stop), {OptionId::Protect, &request.protect}}) {
        if (const std::optional<std::string> text = args.text(option)) {
            engine::Result<engine::Match> read
                = parseMatch(*text, std::string(optionInfo(option).name));
            if (!read) {
                return engine::fail(read.error());
            }
            *match = std::move(*read);
        }
    }
    return engine::Done {};
}

class SuggestVerb {
public:
    explicit SuggestVerb(Context& context)
        : m_context(context)
        , m_progress(context.messages, "suggest")
    {
    }

    ExitCode run();

private:
    engine::Status prepare();
    [[nodiscard]] engine::Status checkKeys() const;
    [[nodiscard]] PassNotes notesOf(const Suggestion& suggestion) const;
    void warn(const Suggestion& suggestion) const;

    Context& m_context;
    PassProgress m_progress;
    ReplayRequest m_replaying; ///< as a replay would read the logs
    SuggestRequest m_request;
};

engine::Status SuggestVerb::prepare()
{
    const LowArgs& args = m_context.args;
    auto keys = readKeys(args);
    if (!keys) {
        return engine::fail(keys.error());
    }
    m_request.keys = std::move(*keys);
    if (engine::Status read = readMeasures(args, m_request); !read) {
        return read;
    }
    if (engine::Status read = readMatches(args, m_request); !read) {
        return read;
    }
    engine::Result<ReplayRequest> replaying = replayRequestOf(m_context, args.arguments);
    if (!replaying) {
        return engine::fail(replaying.error());
    }
    m_replaying = std::move(*replaying);
    m_request.pass = m_replaying.pass;
    m_request.pass.progress = &m_progress;
    return checkKeys();
}

/// Are there such attributes?
engine::Status SuggestVerb::checkKeys() const
{
    engine::Plan plan;
    plan.attributes = m_request.attributes;
    const KnownNames known = knownNames({}, {&plan}, m_request.pass.logs);
    for (const std::vector<std::string>& key : m_request.keys) {
        if (engine::Status there = checkAttributes(key, known); !there) {
            return there;
        }
    }
    return engine::Done {};
}

void SuggestVerb::warn(const Suggestion& suggestion) const
{
    Messages& messages = m_context.messages;
    showWarnings(messages, suggestion.pass.logs);
    for (const KeyMeasures& measures : suggestion.keys) {
        if (measures.requests == 0) {
            messages.warning("suggest.no-key",
                             fmt::format("no request has {}", keyName(measures.key)),
                             "`weir inspect LOG` says what a log can be limited by");
        }
    }
    if (suggestion.hasStop && suggestion.toStop == 0) {
        messages.warning("suggest.nobody", "no request matches --stop", kNobodyHelp);
    }
    if (suggestion.both > 0) {
        messages.warning("suggest.both",
                         fmt::format("{} requests match --stop and --protect: they are to be "
                                     "stopped, and hit no customer",
                                     grouped(suggestion.both)),
                         "narrow --stop if they are not");
    }
    if (suggestion.hasProtect && suggestion.toProtect + suggestion.both == 0) {
        messages.warning("suggest.nobody", "no request matches --protect", kNobodyHelp);
    }
}

PassNotes SuggestVerb::notesOf(const Suggestion& suggestion) const
{
    engine::Plan deriving;
    deriving.attributes = m_request.attributes;
    PassNotes notes
        = passNotesOf(suggestion.pass, m_replaying, {&deriving},
                      {suggestion.requests, suggestion.withWho, suggestion.recordedRejected});
    for (const auto& [option, match] :
         {std::pair("--stop", &m_request.stop), {"--protect", &m_request.protect}}) {
        if (*match) {
            for (storage::Note& note : missingNotesOf(*suggestion.pass.intake, **match, option)) {
                notes.notes.push_back(std::move(note));
            }
        }
    }
    return notes;
}

ExitCode SuggestVerb::run()
{
    const engine::Result<std::string> format = m_context.formatOf({"text", "json", "csv"});
    if (!format) {
        return m_context.fail(format.error());
    }
    if (const std::optional<std::string> file = m_context.args.text(OptionId::Deriving)) {
        Context::Loaded loaded = m_context.load(*file);
        if (!loaded.policy) {
            return loaded.code;
        }
        m_request.attributes = loaded.policy->plan->attributes;
    }
    if (engine::Status prepared = prepare(); !prepared) {
        return m_context.fail(prepared.error());
    }
    const engine::Result<Suggestion> suggestion = app::suggest(m_request);
    m_context.messages.transient("");
    if (!suggestion) {
        return m_context.fail(suggestion.error());
    }
    if (nothingRead(suggestion->pass)) {
        return m_context.fail(unreadable(suggestion->pass));
    }
    warn(*suggestion);
    const SuggestionView view {*suggestion, notesOf(*suggestion)};
    if (*format == "json") {
        writeSuggestionJson(m_context, view);
    } else if (*format == "csv") {
        writeSuggestionCsv(m_context, view);
    } else {
        writeSuggestion(m_context, view);
    }
    return ExitCode::Done;
}

} // namespace

ExitCode runSuggest(Context& context)
{
    return SuggestVerb(context).run();
}

} // namespace app::cli

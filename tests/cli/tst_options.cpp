#include "app/cli/context.h"
#include "app/cli/help.h"
#include "app/cli/low_args.h"
#include "app/workbench/files.h"
#include "app/workbench/version.h"

#include <QTest>

#include <algorithm>
#include <set>

using app::cli::OptionId;
using app::cli::parseLowArgs;
using app::cli::Verb;

namespace {

std::string errorOf(const std::vector<std::string>& words)
{
    const auto args = parseLowArgs(words);
    return args ? "none"
                : args.error().code + ": " + args.error().message + " | " + args.error().help;
}

} // namespace

class TestOptions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyIdAndVerbHasARow();
    void optionsAndArgumentsMix();
    void theLastOneHoldsUnlessRepeatable();
    void bracketsAndDashesStayWhatTheyAre();
    void mistakesSayWhatToWrite();
    void theStoreIsWhereXdgSaysSo();
    void coloursAndProgressAreForTerminals();
    void helpNamesEveryOption();
    void theVersionIsTheBuilds();
};

void TestOptions::everyIdAndVerbHasARow()
{
    std::set<std::pair<std::string_view, std::string_view>> names; // of each verb
    for (const app::cli::OptionInfo& option : app::cli::allOptions()) {
        QVERIFY(option.name.starts_with("--"));
        for (const app::cli::VerbInfo& info : app::cli::allVerbs()) {
            QVERIFY2(!option.verbs.has(info.verb) || names.insert({info.name, option.name}).second,
                     option.name.data());
        }
        QCOMPARE(&app::cli::optionInfo(option.id), &option);
        QVERIFY(!option.help.ends_with('.'));
    }
    for (const app::cli::VerbInfo& info : app::cli::allVerbs()) {
        QCOMPARE(&app::cli::verbInfo(info.verb), &info);
        QVERIFY(info.run != nullptr);
        QVERIFY(!info.example.empty());
    }
}

void TestOptions::optionsAndArgumentsMix()
{
    const auto args = parseLowArgs(
        {"new", "--db", "x.db", "a", "--json", "-q", "--seed=7"}); // new has no --json
    QCOMPARE(args.error().code, std::string("cli.usage"));
    const auto good = parseLowArgs({"new", "--db", "x.db", "a", "-q", "--seed=7"});
    QVERIFY(bool(good));
    QCOMPARE(good->verb, Verb::New);
    QCOMPARE(good->arguments, std::vector<std::string> {"a"});
    QCOMPARE(good->text(OptionId::Db), std::optional<std::string>("x.db"));
    QCOMPARE(good->text(OptionId::Seed), std::optional<std::string>("7"));
    QVERIFY(good->has(OptionId::Quiet));
    QVERIFY(!good->has(OptionId::NoColor));
}

void TestOptions::theLastOneHoldsUnlessRepeatable()
{
    const auto args = parseLowArgs({"new", "--db=a", "--db=b"});
    QVERIFY(bool(args));
    QCOMPARE(args->text(OptionId::Db), std::optional<std::string>("b"));
    QCOMPARE(args->all(OptionId::Db), (std::vector<std::string> {"a", "b"}));
}

void TestOptions::bracketsAndDashesStayWhatTheyAre()
{
    QCOMPARE(parseLowArgs({"new", "[a,b]"})->arguments, std::vector<std::string> {"[a,b]"});
    QCOMPARE(parseLowArgs({"new", "-"})->arguments, std::vector<std::string> {"-"});
    QCOMPARE(parseLowArgs({"new", "--", "--db"})->arguments, std::vector<std::string> {"--db"});
    QCOMPARE(parseLowArgs({"new", "--db", "[a,b]"})->all(OptionId::Db),
             std::vector<std::string> {"[a,b]"});
    QCOMPARE(parseLowArgs({"new", "--db=a=b c"})->all(OptionId::Db),
             std::vector<std::string> {"a=b c"});
}

void TestOptions::mistakesSayWhatToWrite()
{
    QCOMPARE(errorOf({}),
             std::string("cli.usage: what to do is missing | write `weir VERB ...`; `weir help` "
                         "lists the verbs"));
    QCOMPARE(errorOf({"hepl"}),
             std::string("cli.usage: there is no verb `hepl` | did you mean `help`?"));
    QCOMPARE(errorOf({"--quiet", "new"}),
             std::string("cli.usage: the verb stands before `--quiet` | write `weir VERB ...`; "
                         "`weir help` lists the verbs"));
    QCOMPARE(errorOf({"new", "--quite"}),
             std::string("cli.usage: there is no option `--quite` | did you mean `--quiet`?"));
    QCOMPARE(errorOf({"new", "--db"}),
             std::string("cli.usage: `--db` needs a value | write `--db=FILE`"));
    QCOMPARE(errorOf({"new", "--db="}),
             std::string("cli.usage: `--db` needs a value | write `--db=FILE`"));
    QCOMPARE(errorOf({"new", "--quiet=yes"}),
             std::string("cli.usage: `--quiet` takes no value | write `--quiet` alone"));
    QCOMPARE(errorOf({"new", "a", "b"}),
             std::string("cli.usage: `b` is one argument too many | write `weir new [FILE]`"));
    QCOMPARE(errorOf({"version", "b"}),
             std::string("cli.usage: `weir version` takes no argument, and `b` is one | `weir "
                         "version --help` lists what it takes"));
    QCOMPARE(
        errorOf({"new", "++"}),
        std::string("cli.usage: there is no option `++` | `weir new --help` lists what it takes"));
}

void TestOptions::theStoreIsWhereXdgSaysSo()
{
    const app::cli::LowArgs none;
    app::cli::Surroundings around;
    QVERIFY(!app::cli::commonOf(none, around)->db);
    around.home = "/home/u";
    QCOMPARE(app::cli::commonOf(none, around)->db,
             std::optional<std::string>("/home/u/.local/share/weir/runs.db"));
    around.dataHome = "relative";
    QCOMPARE(app::cli::commonOf(none, around)->db,
             std::optional<std::string>("/home/u/.local/share/weir/runs.db"));
    around.dataHome = "/data";
    QCOMPARE(app::cli::commonOf(none, around)->db,
             std::optional<std::string>("/data/weir/runs.db"));
    app::cli::LowArgs given;
    given.add(OptionId::Db, ":memory:");
    given.add(OptionId::Seed, "18446744073709551616");
    QCOMPARE(app::cli::commonOf(given, around).error().code, std::string("cli.usage"));
    given.add(OptionId::Seed, "0");
    QCOMPARE(app::cli::commonOf(given, around)->db, std::optional<std::string>(":memory:"));
    QCOMPARE(app::cli::commonOf(given, around)->seed, std::uint64_t {0});
}

void TestOptions::coloursAndProgressAreForTerminals()
{
    app::cli::LowArgs args;
    app::cli::Surroundings around;
    QVERIFY(!app::cli::commonOf(args, around)->colour);
    QVERIFY(!app::cli::messageOptions(args, around).transient);
    around.outIsTerminal = around.errIsTerminal = true;
    QVERIFY(app::cli::commonOf(args, around)->colour);
    QVERIFY(app::cli::messageOptions(args, around).transient);
    args.add(OptionId::NoProgress, "true");
    QVERIFY(!app::cli::messageOptions(args, around).transient);
    around.noColour = true;
    QVERIFY(!app::cli::commonOf(args, around)->colour);
    QVERIFY(!app::cli::messageOptions(args, around).colour);
}

void TestOptions::helpNamesEveryOption()
{
    for (const app::cli::VerbInfo& info : app::cli::allVerbs()) {
        const std::string help = app::cli::helpOfVerb(info);
        for (const app::cli::OptionInfo& option : app::cli::allOptions()) {
            const std::string name = " " + std::string(option.name)
                + (option.value.empty() ? " " : " " + std::string(option.value) + " ");
            // Two verbs may have an option of one name with a meaning of its own for each.
            const auto all = app::cli::allOptions();
            const bool isKnown
                = std::any_of(all.begin(), all.end(), [&](const app::cli::OptionInfo& other) {
                      return other.name == option.name && other.value == option.value
                          && other.verbs.has(info.verb);
                  });
            QCOMPARE(help.find(name) != help.npos, isKnown);
        }
        QVERIFY(app::cli::helpOfAll().find("  " + std::string(info.name) + " ")
                != std::string::npos);
    }
}

void TestOptions::theVersionIsTheBuilds()
{
    const auto text = app::readFile(WEIR_SOURCE_DIR "/CMakeLists.txt", 1 << 20);
    QVERIFY(bool(text));
    const std::string line = "project(weir VERSION " + std::string(app::kVersion) + " ";
    QVERIFY(text->find(line) != std::string::npos);
}

QTEST_APPLESS_MAIN(TestOptions)
#include "tst_options.moc"

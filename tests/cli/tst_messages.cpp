#include "app/cli/messages.h"
#include "app/cli/progress.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace {

/// Both ends of a pipe; what was written is read after close of the writing end.
struct Pipe {
    std::array<int, 2> ends {};

    Pipe() { [[maybe_unused]] const int made = ::pipe(ends.data()); }

    ~Pipe() { ::close(ends[0]); }

    std::string text()
    {
        ::close(ends[1]);
        std::string all(1 << 16, '\0');
        const ssize_t count = ::read(ends[0], all.data(), all.size());
        all.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
        return all;
    }
};

engine::Diagnostic example()
{
    engine::Diagnostic diagnostic;
    diagnostic.code = "policy.unknown-field";
    diagnostic.message = "`br\x1bust` is not a field";
    diagnostic.place = {"rules\x07.yaml", 12, 7};
    diagnostic.reason = "the table says so";
    diagnostic.help = "did you mean `burst`?";
    return diagnostic;
}

} // namespace

class TestMessages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void messagesHaveOneForm();
    void placesMayBeKnownInPart();
    void quietSilencesWarningsOnly();
    void diagnosticsAreJson();
    void resultsComeBeforeLaterMessages();
    void brokenPipeIsNoErrorAndFullDiskIs();
    void progressGivesWayToMessages();
    void progressReadsTheClockRarely();
};

void TestMessages::messagesHaveOneForm()
{
    QCOMPARE(app::cli::rendered(example(), false),
             std::string("weir: error[policy.unknown-field]: `br\\x1bust` is not a field\n"
                         " --> rules\\x07.yaml:12:7\n"
                         "reason: the table says so\n"
                         "help: did you mean `burst`?\n"));
    QVERIFY(app::cli::rendered(example(), true).find("\x1b[31merror[policy.unknown-field]:\x1b[0m")
            != std::string::npos);
}

void TestMessages::placesMayBeKnownInPart()
{
    engine::Diagnostic diagnostic;
    diagnostic.code = "x.y";
    diagnostic.message = "m";
    diagnostic.severity = engine::Severity::Advice;
    QCOMPARE(app::cli::rendered(diagnostic, false), std::string("weir: warning[x.y]: m\n"));
    diagnostic.place.file = "f";
    QCOMPARE(app::cli::rendered(diagnostic, false), std::string("weir: warning[x.y]: m\n --> f\n"));
    diagnostic.place.line = 3;
    QCOMPARE(app::cli::rendered(diagnostic, false),
             std::string("weir: warning[x.y]: m\n --> f:3\n"));
}

void TestMessages::quietSilencesWarningsOnly()
{
    Pipe pipe;
    app::cli::Output out(pipe.ends[1]);
    app::cli::Messages messages(pipe.ends[1], out, {false, true, false});
    messages.warning("a.b", "careful");
    messages.note("so it is");
    messages.error("c.d", "wrong");
    QCOMPARE(messages.all().size(), std::size_t {2});
    QCOMPARE(pipe.text(), std::string("weir: error[c.d]: wrong\n"));
}

void TestMessages::diagnosticsAreJson()
{
    app::Json json(app::Json::Layout::OneLine);
    json.beginObject();
    engine::Diagnostic bare;
    bare.code = "a.b";
    bare.severity = engine::Severity::Advice;
    app::cli::writeDiagnostics(json, std::vector {example(), bare});
    json.end();
    QCOMPARE(json.take(),
             std::string(
                 "{\"diagnostics\": [{\"code\": \"policy.unknown-field\", \"severity\": \"error\", "
                 "\"file\": \"rules\\\\x07.yaml\", \"line\": 12, \"column\": 7, "
                 "\"message\": \"`br\\\\x1bust` is not a field: the table says so\", \"help\": "
                 "\"did you mean `burst`?\"}, "
                 "{\"code\": \"a.b\", \"severity\": \"advice\", \"file\": null, \"line\": null, "
                 "\"column\": null, \"message\": \"\", \"help\": \"\"}]}\n"));
}

void TestMessages::resultsComeBeforeLaterMessages()
{
    Pipe pipe;
    app::cli::Output out(pipe.ends[1]);
    app::cli::Messages messages(pipe.ends[1], out, {});
    out.write("one\n");
    messages.note("two");
    out.write("three\n");
    QVERIFY(bool(out.finish()));
    QCOMPARE(pipe.text(), std::string("one\nweir: note: two\nthree\n"));
}

void TestMessages::brokenPipeIsNoErrorAndFullDiskIs()
{
    ::signal(SIGPIPE, SIG_IGN);
    Pipe pipe;
    ::close(pipe.ends[0]);
    app::cli::Output gone(pipe.ends[1]);
    gone.write("lost\n");
    QVERIFY(bool(gone.finish()));
    QVERIFY(gone.isGone());
    ::close(pipe.ends[1]);
    pipe.ends[0] = ::open("/dev/full", O_WRONLY);
    app::cli::Output full(pipe.ends[0]);
    full.write("lost\n");
    QCOMPARE(full.finish().error().code, std::string("cli.output"));
}

void TestMessages::progressGivesWayToMessages()
{
    Pipe pipe;
    app::cli::Output out(pipe.ends[1]);
    app::cli::Messages messages(pipe.ends[1], out, {false, false, true});
    std::int64_t now = 0;
    {
        app::cli::Progress progress(messages, "replay", 4'000'000, [&now] { return now; });
        now = 2'000'000'000;
        progress.update(1'000'000, 3'000);
        messages.note("here");
    }
    QCOMPARE(pipe.text(),
             std::string("\r\x1b[Kreplay  25.0%  1.0 MB of 4.0 MB  1,500 lines/s  6 s left"
                         "\r\x1b[Kweir: note: here\n"));
}

void TestMessages::progressReadsTheClockRarely()
{
    Pipe pipe;
    app::cli::Output out(pipe.ends[1]);
    int reads = 0;
    const auto clock = [&reads] { return std::int64_t {++reads} * 10'000'000; };
    app::cli::Messages shown(pipe.ends[1], out, {false, false, true});
    app::cli::Progress progress(shown, "replay", 0, clock);
    for (std::uint64_t i = 0; i < 800; ++i) {
        progress.update(i, i);
    }
    QCOMPARE(reads, 101);
    app::cli::Messages silent(pipe.ends[1], out, {});
    app::cli::Progress none(silent, "replay", 0, clock);
    none.update(1, 1);
    QCOMPARE(reads, 101);
    const std::string text = pipe.text();
    QCOMPARE(std::count(text.begin(), text.end(), '\r'), 10); // 100 looks, 10 ms apart: ten draws
}

QTEST_APPLESS_MAIN(TestMessages)
#include "tst_messages.moc"

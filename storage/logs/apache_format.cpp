#include "storage/logs/apache_pattern.h"
#include "storage/logs/row_format.h"

#include <algorithm>
#include <array>
#include <span>

namespace storage::logs {
namespace {

constexpr std::array<RecordStamp, 2> kStartStamps {{{"time_local", true}, {"time_end", false}}};
constexpr std::array<RecordStamp, 2> kEndStamps {{{"time_local", false}, {"time_end", false}}};
constexpr std::array<RecordDuration, 3> kDurations {
    {{"request_time_us", 1'000}, {"request_time_ms", 1'000'000}, {"request_time", kSecondNs}}};

constexpr std::array<std::string_view, 1> kStartRemarks {
    "The stamp is of a request's start, in whole seconds."};
constexpr std::array<std::string_view, 1> kEndRemarks {
    "The stamp is of a request's end, in whole seconds."};
constexpr std::array<std::string_view, 2> kTomcatRemarks {
    "The stamp is of a request's end, in whole seconds.",
    "A whole number at the end of a line (%D) is in milliseconds up to Tomcat 10.0 and in Jetty, "
    "in "
    "microseconds from Tomcat 10.1: --map duration=elapsed:ms or duration=elapsed:us says which; "
    "without it the durations are not known."};

/// A format that has a name, as the LogFormats of its shapes.
struct Named {
    std::string_view name;
    std::array<std::string_view, 4> shapes;
    std::span<const RecordStamp> stamps;
    std::span<const std::string_view> remarks;
    bool (*isTypical)(std::span<const std::string_view> values) = nullptr;
    bool othersMayMiss = false; ///< RowShapes::othersMayMiss
};

/// Whether the second field is the host that lighttpd writes there, not a name of ident.
bool namesHost(std::span<const std::string_view> values)
{
    constexpr std::size_t kHost = 1;
    if (values[kHost + 1].find(' ') != std::string_view::npos) {
        return false; // of a user of two words one belongs to something else
    }
    return values[kHost].find_first_of(".:") != std::string_view::npos
        || values[kHost] == "localhost";
}

/// Whether a client stands behind the host, not the "-" of ident in front of a user of two words;
/// and whether the host is one, not the begin of a list of addresses.
bool hasClient(std::span<const std::string_view> values)
{
    constexpr std::size_t kClient = 2;
    return values[kClient] != "-" && values[0].find_first_of("\",") == std::string_view::npos;
}

/// Varnish writes whole URLs; of a server they are what a proxy was asked for.
bool hasWholeUrl(std::span<const std::string_view> values)
{
    constexpr std::size_t kRequest = 4;
    const std::string_view request = values[kRequest];
    const auto target = request.substr(std::min(request.find(' ') + 1, request.size()));
    return target.starts_with("http://") || target.starts_with("https://");
}

constexpr std::array<Named, 6> kNamed {{
    // API Gateway's CLF has no blank before the quote, and ids of the request at the end.
    {"apache-common",
     {R"(%h %l %u %t "%r" %>s %b)", R"(%h %l %u %t"%r" %>s %b)",
      R"(%h %l %u %t"%r" %>s %b %{request_id}x)",
      R"(%h %l %u %t"%r" %>s %b %{request_id}x %{extended_request_id}x)"},
     kStartStamps,
     kStartRemarks,
     nullptr,
     true},
    {"apache-combined",
     {R"(%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i")"},
     kStartStamps,
     kStartRemarks},
    {"apache-vhost-combined",
     {R"(%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i")",
      R"(%v %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i")",
      R"(%v:%p %h %l %u %t "%r" %>s %O)", R"(%v %h %l %u %t "%r" %>s %O)"},
     kStartStamps,
     kStartRemarks,
     hasClient},
    {"tomcat",
     {R"(%h %l %u %t "%r" %s %b "%{Referer}i" "%{User-Agent}i" "%{Cookie}i" %{elapsed}x)",
      R"(%h %l %u %t "%r" %s %b "%{Referer}i" "%{User-Agent}i" %{elapsed}x)",
      R"(%h %l %u %t "%r" %s %b "%{Referer}i" "%{User-Agent}i")",
      R"(%h %l %u %t "%r" %s %b %{elapsed}x)"},
     kEndStamps,
     kTomcatRemarks},
    {"lighttpd",
     {R"(%h %V %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i")"},
     kEndStamps,
     kEndRemarks,
     namesHost},
    {"varnish",
     {R"(%h %l %u %t "%r" %s %b "%{Referer}i" "%{User-Agent}i")"},
     kStartStamps,
     kStartRemarks,
     hasWholeUrl},
}};

RecordRules rulesFor(std::span<const RecordStamp> stamps)
{
    RecordRules rules = rowRules();
    rules.stamps = stamps;
    rules.durations = kDurations;
    rules.timeHelp = "a log needs %t or %{FORMAT}t, or --map time=FIELD";
    rules.queryHasMark = true;
    return rules;
}

} // namespace

MadeFormat makeNamedApacheFormat(std::string_view name, const FormatOptions& options)
{
    const auto* const named = std::find_if(kNamed.begin(), kNamed.end(),
                                           [&](const Named& known) { return known.name == name; });
    RecordRules rules = rulesFor(named->stamps);
    rules.remarks = named->remarks;
    RowShapes shapes;
    shapes.isTypical = named->isTypical;
    shapes.othersMayMiss = named->othersMayMiss;
    for (const std::string_view shape : named->shapes) {
        if (shape.empty()) {
            break;
        }
        auto pattern = parseApachePattern(shape);
        if (!pattern) {
            return engine::fail(pattern.error());
        }
        shapes.patterns.push_back(std::move(*pattern));
    }
    return makeRowFormat(std::string(name), rules, std::move(shapes), options);
}

MadeFormat makeApacheFormat(std::string_view text, const FormatOptions& options)
{
    auto pattern = parseApachePattern(text);
    if (!pattern) {
        return engine::fail(pattern.error());
    }
    RowShapes shapes;
    shapes.patterns.push_back(std::move(*pattern));
    return makeRowFormat(std::string(text), rulesFor(kStartStamps), std::move(shapes), options);
}

} // namespace storage::logs

#include "app/console/frame/values.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/text.h"
#include "engine/diagnostic.h"

#include <QDateTime>
#include <QTimeZone>

#include <algorithm>
#include <array>

namespace app::console {

namespace {

bool g_isUtc = true; // the GUI thread's

constexpr std::int64_t kNsPerMs = 1'000'000;

/// Floor of part * 100 * 10^digits / whole in hundredths and so on, half up.
std::uint64_t scaledShare(std::uint64_t part, std::uint64_t whole, std::uint64_t scale)
{
    // Counts are far below 2^53; a long double keeps every digit that is shown.
    const auto exact = static_cast<long double>(part) * static_cast<long double>(scale)
        / static_cast<long double>(whole);
    return static_cast<std::uint64_t>(exact + 0.5L);
}

QString twoDigits(std::int64_t number)
{
    return QStringLiteral("%1").arg(number, 2, 10, QLatin1Char('0'));
}

} // namespace

QString fileNames(std::string_view paths, std::size_t most)
{
    std::string names;
    while (!paths.empty()) {
        const std::size_t end = std::min(paths.find(", "), paths.size());
        const std::string_view path = paths.substr(0, end);
        names += names.empty() ? "" : ", ";
        names += path.substr(path.rfind('/') + 1);
        paths.remove_prefix(std::min(end + 2, paths.size()));
    }
    return shown(names, most);
}

QString words(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString shown(std::string_view bytes, std::size_t most)
{
    std::size_t cut = std::min(bytes.size(), most);
    while (cut < bytes.size() && cut > 0
           && (static_cast<unsigned char>(bytes[cut]) & 0xC0U) == 0x80U) {
        --cut; // not within a character
    }
    QString text = words(visible(bytes.substr(0, cut)));
    if (cut < bytes.size()) {
        text += QChar(0x2026);
    }
    return text;
}

QString countText(std::uint64_t number)
{
    return words(grouped(number));
}

QString shareText(std::uint64_t part, std::uint64_t whole, int digits)
{
    if (whole == 0) {
        return {};
    }
    std::uint64_t unit = 1;
    for (int i = 0; i < digits; ++i) {
        unit *= 10;
    }
    const auto number = [&](std::uint64_t scaled) {
        QString text = QString::number(scaled / unit);
        if (digits > 0) {
            text += QLatin1Char('.')
                + QStringLiteral("%1").arg(scaled % unit, digits, 10, QLatin1Char('0'));
        }
        return text;
    };
    const std::uint64_t scaled = scaledShare(part, whole, 100 * unit);
    if (scaled == 0 && part > 0) {
        return QStringLiteral("< %1 %").arg(number(1));
    }
    if (scaled >= 100 * unit && part < whole) {
        return QStringLiteral("> %1 %").arg(number(100 * unit - 1));
    }
    return number(scaled) + QStringLiteral(" %");
}

QString lengthText(std::int64_t ns)
{
    constexpr std::int64_t kMinute = 60'000'000'000;
    if (ns < kMinute) {
        return words(durationText(ns));
    }
    const std::int64_t seconds = ns / 1'000'000'000;
    if (seconds < 3600) {
        return QStringLiteral("%1 min %2 s").arg(seconds / 60).arg(twoDigits(seconds % 60));
    }
    if (seconds < 86'400) {
        return QStringLiteral("%1 h %2 min").arg(seconds / 3600).arg(twoDigits(seconds / 60 % 60));
    }
    return QStringLiteral("%1 d %2 h").arg(seconds / 86'400).arg(twoDigits(seconds / 3600 % 24));
}

QString sizeText(std::uint64_t bytes)
{
    static constexpr std::array<const char*, 5> kUnits {"B", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < kUnits.size()) {
        value /= 1000;
        ++unit;
    }
    const int digits = unit == 0 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return QStringLiteral("%1 %2").arg(QString::number(value, 'f', digits),
                                       QLatin1String(kUnits.at(unit)));
}

QString plural(std::uint64_t number, const QString& one, const QString& many)
{
    return QStringLiteral("%1 %2").arg(countText(number), number == 1 ? one : many);
}

void setTimesInUtc(bool isUtc)
{
    g_isUtc = isUtc;
}

bool timesInUtc()
{
    return g_isUtc;
}

QString zoneName()
{
    return g_isUtc ? QStringLiteral("UTC") : QDateTime::currentDateTime().timeZoneAbbreviation();
}

QString momentText(std::int64_t ns, TimeForm form)
{
    const std::int64_t rest = ((ns % kNsPerMs) + kNsPerMs) % kNsPerMs;
    const QDateTime utc = QDateTime::fromMSecsSinceEpoch((ns - rest) / kNsPerMs, Qt::UTC);
    const QDateTime time = g_isUtc ? utc : utc.toLocalTime();
    switch (form) {
    case TimeForm::Second:
        return time.toString(QStringLiteral("HH:mm:ss"));
    case TimeForm::Millisecond:
        return time.toString(QStringLiteral("HH:mm:ss.zzz"));
    case TimeForm::Minute:
        return time.toString(QStringLiteral("HH:mm"));
    case TimeForm::Date:
        return time.toString(QStringLiteral("yyyy-MM-dd"));
    case TimeForm::Full:
        return time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz ")) + zoneName();
    }
    return {};
}

QString plainTip(const QString& text)
{
    QString escaped = text.toHtmlEscaped();
    escaped.replace(QLatin1Char('\n'), QLatin1String("<br>"));
    return text.isEmpty() ? QString() : QStringLiteral("<qt>%1</qt>").arg(escaped);
}

QString asIfOf(const std::vector<std::string>& conditions, const QString& who)
{
    constexpr std::size_t kLongest = 300; // of one of them
    QStringList parts;
    for (const std::string& one : conditions) {
        parts << shown(one, kLongest);
    }
    if (parts.isEmpty()) {
        return {};
    }
    const QString begin
        = who.isEmpty() ? QStringLiteral("As if: ") : who + QStringLiteral(" as if: ");
    return begin + parts.join(QStringLiteral("; "));
}

QString sentence(const engine::Diagnostic& diagnostic)
{
    const auto asSentence = [](std::string_view text) {
        QString one = shown(text);
        if (one.isEmpty()) {
            return one;
        }
        if (one.front().isLower()) {
            one.front() = one.front().toUpper();
        }
        return one.endsWith(QLatin1Char('.')) || one.endsWith(QLatin1Char('?'))
            ? one
            : one + QLatin1Char('.');
    };
    const QString what = asSentence(diagnostic.message);
    const QString why = asSentence(diagnostic.reason);
    const QString help = asSentence(diagnostic.help);
    QString all = what;
    for (const QString& more : {why, help}) {
        if (!more.isEmpty()) {
            all += QLatin1Char(' ') + more;
        }
    }
    return all;
}

QString failureText(const engine::Diagnostic& diagnostic)
{
    engine::Diagnostic plain = diagnostic;
    if (plain.help.find("--") != std::string::npos
        || plain.help.find("`weir ") != std::string::npos) {
        plain.help.clear();
    }
    if (diagnostic.code == "log.unknown-format") {
        plain.help = "choose its format under How the logs are read";
    }
    return sentence(plain);
}

} // namespace app::console

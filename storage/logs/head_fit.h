#pragma once
#include "storage/log_format.h"
#include "storage/logs/head_lines.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// How the lines of a head fit a format.
struct HeadFit {
    /// A header line of the format, which says nothing of requests.
    static constexpr std::uint8_t kDirective = 3;

    std::string name;
    std::shared_ptr<const LogFormat> format;
    std::vector<std::uint8_t> likeness; ///< by line: LineParser::likeness(), or kDirective
    std::uint64_t fit = 0;
    std::uint64_t exact = 0;
    std::uint64_t directives = 0;
    std::uint64_t inside = 0; ///< of the lines that fit, inside of a wrapper
    std::array<std::uint64_t, kWrapperKinds> wrappers {}; ///< of these, by kind

    /// What is compared: an exact line counts twice.
    [[nodiscard]] std::uint64_t sum() const { return fit + exact; }
};

HeadFit fitOf(std::string name, std::shared_ptr<const LogFormat> format, const HeadLines& head);

/// The lines of a head that fit, as they are inside of their wrappers.
std::vector<std::string_view> fittingTexts(const HeadFit& fit, const HeadLines& head);

/// Whether one of the lines that fit is a request, not only a record of the format.
bool hasRequest(const HeadFit& fit, const HeadLines& head);

} // namespace storage::logs

#pragma once
#include "app/workbench/by_attribute.h"
#include "app/workbench/given_options.h"
#include "app/workbench/log_choice.h"
#include "engine/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace app {

/// How a LOG is read, as the options log-format, map, tz, trusted-proxies, max-ratio, max-bytes,
/// reorder and spread say it; `spread` where none is given. Of spread `both` the first: even.
/// Errors: cli.usage, log.map, log.zone, attribute.network.
engine::Result<LogChoice> logChoiceOf(const GivenOptions& given, std::string path,
                                      storage::Spread spread);

/// The time that an option gives, if it is given; one without a zone is that of tz (else UTC).
/// Errors: those of parseTime(), log.zone.
engine::Result<std::optional<std::int64_t>> timeOf(const GivenOptions& given,
                                                   std::string_view option);

/// from and to. Errors: cli.usage, those of timeOf().
engine::Result<Period> givenPeriod(const GivenOptions& given);

/// "500G", "64M", "1000": a number of bytes, K, M, G and T being powers of 1024. Nothing for
/// anything else.
std::optional<std::uint64_t> parseSize(std::string_view text);

} // namespace app

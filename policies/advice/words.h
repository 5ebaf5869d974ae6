#pragma once
#include "engine/plan.h"

#include <cstdint>
#include <string>

/// Numbers as people like to read them.
namespace policies::advice {

std::string grouped(std::int64_t number); ///< 2000 is "2,000"

/// 60000000000 is "60 s", 10000000 "10 ms", 7200000000000 "2 h", 60 minutes "1 h". What is no round
/// number of its unit is rounded to a tenth, and says so: "about 8.6 s".
std::string inWords(std::int64_t ns);

std::string inWords(const engine::Rate& rate); ///< {1000, 60 s} is "1,000 in 60 s"

/// "1,000 in 60 s", of token_bucket and gcra "60 in 60 s, 10 at once", of what holds slots
/// "50 in flight".
std::string inWords(const engine::Limit& limit);

std::string bytesInWords(std::int64_t bytes); ///< 16000 is "16 kB", 3184000 "3.2 MB"

/// `part` of `whole` in percent, to one decimal, rounded half up, but never a false zero or a false
/// whole: 1 of 8 is "12.5%", 1 of 1,000,000 "<0.1%", 999,999 of 1,000,000 ">99.9%"; of nothing
/// "0.0%". The one rule of this project; exact up to 9 * 10^15, beyond that to the last decimal.
std::string share(std::uint64_t part, std::uint64_t whole);

/// a * b, at most int64's largest; both 0 or more.
std::int64_t times(std::int64_t a, std::int64_t b);

std::string counted(std::int64_t number, const char* one, const char* many); ///< "1 rule"

} // namespace policies::advice

#include "tests/support/model/wide.h"

#include <algorithm>
#include <array>

namespace tests::model {

namespace {

std::array<std::uint64_t, 4> limbsOf(UInt128 high, UInt128 low)
{
    return {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(low >> 64),
            static_cast<std::uint64_t>(high), static_cast<std::uint64_t>(high >> 64)};
}

} // namespace

Wide Wide::longProduct(const Wide& a, const Wide& b)
{
    const bool negative = a.isNegative() != b.isNegative();
    const Wide left = a.isNegative() ? -a : a;
    const Wide right = b.isNegative() ? -b : b;
    const auto x = limbsOf(static_cast<UInt128>(left.m_high), left.m_low);
    const auto y = limbsOf(static_cast<UInt128>(right.m_high), right.m_low);
    std::array<std::uint64_t, 8> product {};
    for (std::size_t i = 0; i < 4; ++i) {
        UInt128 carry = 0;
        for (std::size_t j = 0; j < 4; ++j) {
            carry += static_cast<UInt128>(x[i]) * y[j] + product[i + j];
            product[i + j] = static_cast<std::uint64_t>(carry);
            carry >>= 64;
        }
        product[i + 4] = static_cast<std::uint64_t>(carry);
    }
    if ((product[4] | product[5] | product[6] | product[7]) != 0 || (product[3] >> 63) != 0) {
        overflow("*");
    }
    const Wide magnitude
        = of(static_cast<Int128>(static_cast<UInt128>(product[3]) << 64 | product[2]),
             static_cast<UInt128>(product[1]) << 64 | product[0]);
    return negative ? -magnitude : magnitude;
}

/// Both above zero or zero; bit by bit, as on paper.
Wide Wide::longQuotient(const Wide& a, const Wide& b)
{
    Wide quotient;
    Wide rest;
    for (int bit = 254; bit >= 0; --bit) {
        const bool set = bit >= 128 ? ((static_cast<UInt128>(a.m_high) >> (bit - 128)) & 1) != 0
                                    : ((a.m_low >> bit) & 1) != 0;
        // rest stays below b; where doubling it would not fit, b is above half the range.
        const Wide room = b - rest;
        const Wide needed = rest + Wide(set ? 1 : 0);
        if (needed >= room) {
            rest = needed - room;
            quotient = quotient + powerOfTwo(static_cast<unsigned>(bit));
        } else {
            rest = rest + needed;
        }
    }
    return quotient;
}

Wide floorDiv(const Wide& a, const Wide& b)
{
    if (b == Wide(0)) {
        Wide::overflow("division by zero");
    }
    const bool negative = a.isNegative() != b.isNegative();
    const Wide left = a.isNegative() ? -a : a;
    const Wide right = b.isNegative() ? -b : b;
    const Wide quotient = left.m_high == 0 && right.m_high == 0
        ? Wide::of(0, left.m_low / right.m_low)
        : Wide::longQuotient(left, right);
    if (!negative) {
        return quotient;
    }
    return quotient * right == left ? -quotient : -quotient - Wide(1);
}

std::string Wide::toText() const
{
    std::string digits;
    Wide rest = isNegative() ? -*this : *this;
    do {
        const Wide quotient = floorDiv(rest, Wide(10));
        digits += static_cast<char>('0' + (rest - quotient * Wide(10)).toInt64());
        rest = quotient;
    } while (rest > Wide(0));
    if (isNegative()) {
        digits += '-';
    }
    std::reverse(digits.begin(), digits.end());
    return digits;
}

} // namespace tests::model

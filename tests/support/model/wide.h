#pragma once
#include <compare>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace tests::model {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

class Wide;
Wide floorDiv(const Wide& a, const Wide& b);
Wide ceilDiv(const Wide& a, const Wide& b);

/// A signed integer of 256 bits that never wraps: what does not fit ends the process.
///
/// Example: Wide(INT64_MIN) * Wide(INT64_MIN) is 2^126. Two's complement, high half first in sign.
class Wide {
public:
    Wide() = default;

    Wide(std::int64_t value) // NOLINT(google-explicit-constructor)
        : m_high(value < 0 ? -1 : 0)
        , m_low(static_cast<UInt128>(static_cast<Int128>(value)))
    {
    }

    Wide(int value) // NOLINT(google-explicit-constructor)
        : Wide(static_cast<std::int64_t>(value))
    {
    }

    static Wide of(Int128 high, UInt128 low)
    {
        Wide result;
        result.m_high = high;
        result.m_low = low;
        return result;
    }

    static Wide of(Int128 value) { return of(value < 0 ? -1 : 0, static_cast<UInt128>(value)); }

    /// 2^exponent, exponent below 255.
    static Wide powerOfTwo(unsigned exponent)
    {
        return exponent < 128 ? of(0, static_cast<UInt128>(1) << exponent)
                              : of(static_cast<Int128>(1) << (exponent - 128), 0);
    }

    [[nodiscard]] bool isNegative() const { return m_high < 0; }

    [[nodiscard]] bool fitsInt64() const
    {
        return fitsInt128() && static_cast<Int128>(m_low) >= INT64_MIN
            && static_cast<Int128>(m_low) <= INT64_MAX;
    }

    [[nodiscard]] std::int64_t toInt64() const
    {
        if (!fitsInt64()) {
            overflow("toInt64");
        }
        return static_cast<std::int64_t>(m_low);
    }

    [[nodiscard]] std::string toText() const;

    friend Wide operator+(const Wide& a, const Wide& b)
    {
        const UInt128 low = a.m_low + b.m_low;
        const UInt128 high = static_cast<UInt128>(a.m_high) + static_cast<UInt128>(b.m_high)
            + (low < a.m_low ? 1U : 0U);
        const Wide sum = of(static_cast<Int128>(high), low);
        if (a.isNegative() == b.isNegative() && sum.isNegative() != a.isNegative()) {
            overflow("+");
        }
        return sum;
    }

    friend Wide operator-(const Wide& a)
    {
        if (a.m_high == minimumHalf() && a.m_low == 0) {
            overflow("negation");
        }
        const UInt128 low = ~a.m_low + 1;
        return of(static_cast<Int128>(~static_cast<UInt128>(a.m_high) + (low == 0 ? 1U : 0U)), low);
    }

    friend Wide operator-(const Wide& a, const Wide& b) { return a + -b; }

    friend Wide operator*(const Wide& a, const Wide& b)
    {
        if (a.fitsInt64() && b.fitsInt64()) {
            return of(static_cast<Int128>(a.m_low) * static_cast<Int128>(b.m_low));
        }
        return longProduct(a, b);
    }

    /// The quotient rounded down, also below zero: floorDiv(-1, 2) is -1.
    friend Wide floorDiv(const Wide& a, const Wide& b);

    friend bool operator==(const Wide&, const Wide&) = default;

    friend std::strong_ordering operator<=>(const Wide& a, const Wide& b)
    {
        if (a.m_high != b.m_high) {
            return a.m_high < b.m_high ? std::strong_ordering::less : std::strong_ordering::greater;
        }
        if (a.m_low != b.m_low) {
            return a.m_low < b.m_low ? std::strong_ordering::less : std::strong_ordering::greater;
        }
        return std::strong_ordering::equal;
    }

private:
    [[noreturn]] static void overflow(const char* operation)
    {
        std::fprintf(stderr, "%s:%d: Wide overflows in %s\n", __FILE__, __LINE__, operation);
        std::abort();
    }

    static Int128 minimumHalf() { return static_cast<Int128>(static_cast<UInt128>(1) << 127); }

    [[nodiscard]] bool fitsInt128() const
    {
        return m_high == (static_cast<Int128>(m_low) < 0 ? -1 : 0);
    }

    static Wide longProduct(const Wide& a, const Wide& b);
    static Wide longQuotient(const Wide& a, const Wide& b);

    Int128 m_high = 0;
    UInt128 m_low = 0;
};

inline Wide ceilDiv(const Wide& a, const Wide& b)
{
    return -floorDiv(-a, b);
}

inline Wide max(const Wide& a, const Wide& b)
{
    return a < b ? b : a;
}

inline Wide min(const Wide& a, const Wide& b)
{
    return b < a ? b : a;
}

} // namespace tests::model

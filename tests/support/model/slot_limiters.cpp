#include "tests/support/model/slot_limiters.h"

#include "tests/support/model/learning.h"

#include <algorithm>
#include <vector>

namespace tests::model {

using engine::Algorithm;
using engine::Limit;
using engine::Strategy;

namespace {

/// Taken by an admitted request, in order of being taken.
struct Slot {
    Wide end;
    Wide cost;
    std::uint64_t request;
    Wide duration;
    Wide inFlight; ///< when it was taken, itself included
};

/// What all that hold slots have in common.
class SlotLimiter : public Limiter {
public:
    explicit SlotLimiter(std::shared_ptr<std::vector<Slot>> slots)
        : m_slots(std::move(slots))
    {
    }

    void judge(const Wide& t, std::uint64_t /*draw*/) override { endUntil(t); }

    Fill look(const Wide& t) const override { return {held(t), wholeAt(t)}; }

    bool admits(const Wide& t, const Wide& cost) const override
    {
        return held(t) + cost <= capacity();
    }

    void count(const Wide& t, const Wide& cost, std::uint64_t request,
               const Wide& duration) override
    {
        m_slots->push_back({t + duration, cost, request, duration, all() + cost});
    }

    void giveBack(const Wide& t, std::uint64_t request) override
    {
        std::erase_if(*m_slots,
                      [&](const Slot& slot) { return slot.request == request && slot.end > t; });
    }

    Wide remaining(const Wide& t) const override { return max(0, capacity() - held(t)); }

    Wide remainingNow(const Wide& /*t*/) const override { return max(0, capacity() - all()); }

    bool full(const Wide& t) const override { return held(t) == Wide(0); }

protected:
    /// What a slot that ended tells.
    virtual void ended(const Slot& /*slot*/) { }

    /// The limit that will hold, for all classes together.
    virtual Wide wholeAt(const Wide& /*t*/) const { return capacity(); }

    /// Those that end until then, in the order in which they do.
    std::vector<Slot> endingUntil(const Wide& t) const
    {
        std::vector<Slot> ending;
        for (const Slot& slot : *m_slots) {
            if (slot.end <= t) {
                ending.push_back(slot);
            }
        }
        std::stable_sort(ending.begin(), ending.end(),
                         [](const Slot& a, const Slot& b) { return a.end < b.end; });
        return ending;
    }

    Wide held(const Wide& t) const
    {
        Wide sum = 0;
        for (const Slot& slot : *m_slots) {
            sum = sum + (slot.end > t ? slot.cost : Wide(0));
        }
        return sum;
    }

    /// Those that last no time are held until the next look.
    Wide all() const
    {
        Wide sum = 0;
        for (const Slot& slot : *m_slots) {
            sum = sum + slot.cost;
        }
        return sum;
    }

private:
    void endUntil(const Wide& t)
    {
        for (const Slot& slot : endingUntil(t)) {
            ended(slot);
        }
        std::erase_if(*m_slots, [&](const Slot& slot) { return slot.end <= t; });
    }

    std::shared_ptr<std::vector<Slot>> m_slots;
};

class Concurrency : public SlotLimiter {
public:
    explicit Concurrency(const Limit& limit)
        : SlotLimiter(std::make_shared<std::vector<Slot>>())
        , m_limit(limit.inFlight)
    {
    }

    Wide capacity() const override { return m_limit; }

private:
    Wide m_limit;
};

class AdaptiveConcurrency : public SlotLimiter {
public:
    explicit AdaptiveConcurrency(const Limit& limit)
        : SlotLimiter(std::make_shared<std::vector<Slot>>())
        , m_learning(limit)
    {
    }

    Wide capacity() const override { return m_learning.limit(); }

protected:
    void ended(const Slot& slot) override { learn(m_learning, slot); }

    Wide wholeAt(const Wide& t) const override
    {
        Learning then = m_learning;
        for (const Slot& slot : endingUntil(t)) {
            learn(then, slot);
        }
        return then.limit();
    }

private:
    static void learn(Learning& learning, const Slot& slot)
    {
        learning.sample(static_cast<double>(slot.duration.toInt64()),
                        static_cast<double>(slot.inFlight.toInt64()));
    }

    Learning m_learning;
};

constexpr std::int64_t kSecond = 1000000000;

} // namespace

struct Shedder {
    std::shared_ptr<std::vector<Slot>> slots = std::make_shared<std::vector<Slot>>();
    /// How many classes are shed, times 7 * 120 s * capacity, so that it is whole.
    std::optional<Wide> amount;
    Wide lookedAt;
};

namespace {

class LoadShedder : public SlotLimiter {
public:
    LoadShedder(const Limit& limit, int classes, std::shared_ptr<Shedder> shared)
        : SlotLimiter(shared->slots)
        , m_capacity(limit.inFlight)
        , m_share(floorDiv(m_capacity * limit.upTo, 100))
        , m_utilises(limit.strategy == Strategy::Utilisation)
        , m_shedAfter(limit.shedAfter)
        , m_classes(classes)
        , m_shared(std::move(shared))
    {
    }

    void judge(const Wide& t, std::uint64_t draw) override
    {
        SlotLimiter::judge(t, draw);
        if (m_utilises) {
            moveRamp(t);
            m_draw = draw;
        }
    }

    bool admits(const Wide& t, const Wide& cost) const override
    {
        return m_utilises ? !sheds() : SlotLimiter::admits(t, cost);
    }

    bool waitsHelp() const override { return !m_utilises; }

    Wide capacity() const override { return m_utilises ? m_capacity : m_share; }

protected:
    Wide wholeAt(const Wide& /*t*/) const override { return m_capacity; }

private:
    /// One class, in the units of the amount.
    [[nodiscard]] Wide one() const { return Wide(7) * m_capacity * (120 * kSecond); }

    /// Slope of the ramp times 7 * capacity: u / 0.7 - 1 below 0.7, (u - 0.8) / 0.2 above 0.8.
    [[nodiscard]] Wide slope(const Wide& inFlight) const
    {
        const Wide used = inFlight * 10;
        if (used < m_capacity * 7) {
            return used - m_capacity * 7;
        }
        if (used > m_capacity * 8) {
            return min(inFlight * 35 - m_capacity * 28, m_capacity * 7);
        }
        return 0;
    }

    void moveRamp(const Wide& t)
    {
        const Wide rest = -(Wide(7) * m_capacity * (28 * kSecond));
        if (!m_shared->amount) {
            m_shared->amount = rest;
        } else {
            const Wide elapsed = min(t - m_shared->lookedAt, 28 * kSecond);
            const Wide moved = *m_shared->amount + elapsed * slope(held(t));
            m_shared->amount = min(max(moved, rest), one() * m_classes);
        }
        m_shared->lookedAt = t;
    }

    /// draw / 2^53 < amount - classes shed before this one
    [[nodiscard]] bool sheds() const
    {
        if (!m_shedAfter) {
            return false;
        }
        const Wide shed = *m_shared->amount - one() * *m_shedAfter;
        return Wide(static_cast<std::int64_t>(m_draw)) * one() < shed * Wide::powerOfTwo(53);
    }

    Wide m_capacity;
    Wide m_share;
    bool m_utilises;
    std::optional<int> m_shedAfter;
    int m_classes;
    std::shared_ptr<Shedder> m_shared;
    std::uint64_t m_draw = 0;
};

} // namespace

std::unique_ptr<Limiter> Limiter::makeClass(const Limit& limit, int classes,
                                            std::shared_ptr<Shedder>& shared)
{
    if (!shared) {
        shared = std::make_shared<Shedder>();
    }
    return std::make_unique<LoadShedder>(limit, classes, shared);
}

std::unique_ptr<Limiter> makeSlotLimiter(const Limit& limit)
{
    if (limit.algorithm == Algorithm::Concurrency) {
        return std::make_unique<Concurrency>(limit);
    }
    if (limit.algorithm == Algorithm::AdaptiveConcurrency) {
        return std::make_unique<AdaptiveConcurrency>(limit);
    }
    std::shared_ptr<Shedder> shared;
    return Limiter::makeClass(limit, limit.shedAfter.value_or(-1) + 1, shared);
}

} // namespace tests::model

#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace app {

/// Runs blocks of work through three stages: read (one thread at a time, in order), prepare (any
/// thread), consume (one thread at a time, in the order of reading).
///
/// There is no thread for the serial stage: whichever is free and finds the next block prepared
/// runs it. So the outcome does not depend on the number of threads, and one thread does all
/// three in turn. Slots are made once and used again; there are never more blocks under way than
/// slots.
template <class Slot> class OrderedPipeline {
public:
    struct Stages {
        std::function<bool(Slot&)> read; ///< false: no more blocks
        std::function<void(Slot&)> prepare;
        std::function<bool(Slot&)> consume; ///< false: stop
    };

    OrderedPipeline(std::deque<Slot>& slots, Stages stages)
        : m_stages(std::move(stages))
    {
        for (Slot& slot : slots) {
            m_free.push_back(&slot);
        }
    }

    /// Returns when all blocks were consumed, or a stage said stop.
    void run(unsigned threads)
    {
        std::vector<std::thread> others;
        for (unsigned i = 1; i < threads; ++i) {
            try {
                others.emplace_back([this] { work(); });
            } catch (const std::system_error&) {
                break; // no more threads to be had: those that there are do the work
            }
        }
        work();
        for (std::thread& other : others) {
            other.join();
        }
    }

private:
    void work()
    {
        for (Slot* slot = takeFree(); slot != nullptr; slot = takeFree()) {
            std::uint64_t number = 0;
            {
                const std::lock_guard lock(m_reading);
                if (m_exhausted || !m_stages.read(*slot)) {
                    m_exhausted = true;
                    release(slot, true);
                    return;
                }
                number = m_nextRead++;
            }
            m_stages.prepare(*slot);
            consumeReady(number, slot);
        }
    }

    Slot* takeFree()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_stopped || !m_free.empty(); });
        if (m_stopped) {
            return nullptr;
        }
        Slot* slot = m_free.back();
        m_free.pop_back();
        return slot;
    }

    void release(Slot* slot, bool stop)
    {
        const std::lock_guard lock(m_mutex);
        m_free.push_back(slot);
        m_stopped = m_stopped || stop;
        m_changed.notify_all();
    }

    /// Files the block, then runs the serial stage over all blocks that are next, unless another
    /// thread is at it already: that one will find this block.
    void consumeReady(std::uint64_t number, Slot* slot)
    {
        std::unique_lock lock(m_mutex);
        m_ready.emplace(number, slot);
        if (m_consuming) {
            return;
        }
        m_consuming = true;
        while (!m_failed && !m_ready.empty() && m_ready.begin()->first == m_nextConsumed) {
            Slot* next = m_ready.begin()->second;
            m_ready.erase(m_ready.begin());
            lock.unlock();
            const bool goOn = m_stages.consume(*next);
            lock.lock();
            ++m_nextConsumed;
            m_free.push_back(next);
            m_failed = !goOn;
            m_stopped = m_stopped || m_failed;
            m_changed.notify_all();
        }
        m_consuming = false;
    }

    Stages m_stages;
    std::mutex m_reading;
    std::uint64_t m_nextRead = 0;
    bool m_exhausted = false;

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<Slot*> m_free;
    std::map<std::uint64_t, Slot*> m_ready;
    std::uint64_t m_nextConsumed = 0;
    bool m_consuming = false;
    bool m_stopped = false; ///< no more reading
    bool m_failed = false; ///< no more consuming
};

} // namespace app

#pragma once
#include "engine/diagnostic.h"

#include <cstddef>
#include <cstdlib>
#include <utility>
#include <variant>

namespace engine {

/// The reason why an operation could not be done: one diagnostic on its way to a Result.
struct Failure {
    Diagnostic diagnostic;
};

[[nodiscard]] inline Failure fail(Diagnostic diagnostic)
{
    return Failure {std::move(diagnostic)};
}

/// Short form: code, message and help; the place is added by whoever knows it.
[[nodiscard]] inline Failure fail(std::string code, std::string message, std::string help = {})
{
    Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.help = std::move(help);
    return Failure {std::move(diagnostic)};
}

/// A value, or the one diagnostic that says why there is none.
///
/// Names its members as std::expected does, so that the class can give way to it:
/// `Result<Plan> plan = compile(...); if (!plan) { return fail(plan.error()); }`.
/// value() without a value, and error() with one, are bugs and end the process.
template <class T> class [[nodiscard]] Result {
public:
    Result(T value) // NOLINT(google-explicit-constructor)
        : m_held(std::in_place_index<0>, std::move(value))
    {
    }

    Result(Failure failure) // NOLINT(google-explicit-constructor)
        : m_held(std::in_place_index<1>, std::move(failure.diagnostic))
    {
    }

    [[nodiscard]] bool has_value() const { return m_held.index() == 0; }

    explicit operator bool() const { return has_value(); }

    [[nodiscard]] T& value() & { return held<0>(*this); }

    [[nodiscard]] const T& value() const& { return held<0>(*this); }

    [[nodiscard]] T&& value() && { return std::move(held<0>(*this)); }

    [[nodiscard]] const Diagnostic& error() const { return held<1>(*this); }

    T& operator*() & { return value(); }

    const T& operator*() const& { return value(); }

    T* operator->() { return &value(); }

    const T* operator->() const { return &value(); }

private:
    /// Not std::get: what it throws could be caught far away and taken for something else.
    template <std::size_t index, class Self> static auto& held(Self& self)
    {
        auto* const found = std::get_if<index>(&self.m_held);
        if (found == nullptr) {
            std::abort();
        }
        return *found;
    }

    std::variant<T, Diagnostic> m_held;
};

/// Result of an operation that gives nothing back but may fail.
struct Done { };

using Status = Result<Done>;

} // namespace engine

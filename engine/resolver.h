#pragma once
#include "engine/attributes.h"
#include "engine/plan.h"
#include "engine/request.h"
#include "engine/result.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// Gives attributes of requests as text, as the policies derive them, without deciding anything.
///
/// Example: a plan derives `plan` from api_key by a lookup, and a rule has `key: [plan]`. derived()
/// is {plan}, fields() {api_key, path}; of a request with api_key k1 resolve() gives "pro".
class Resolver {
public:
    /// For the attributes that the plans derive and use. The plans are borrowed and must outlive
    /// the resolver. Errors: resolver.differs (two plans derive one name in two ways).
    /// `where` is in the terms of the first plan, else the log's own.
    static Result<std::unique_ptr<Resolver>> make(std::vector<const Plan*> plans,
                                                  const Match& where = {});
    ~Resolver();
    Resolver(const Resolver&) = delete;
    Resolver& operator=(const Resolver&) = delete;

    /// What of the log these plans read: by name, each once, `path` always.
    [[nodiscard]] const std::vector<std::string>& fields() const;
    /// The attributes that are derived and used, by name.
    [[nodiscard]] const std::vector<std::string>& derived() const;
    /// Which fields of the log the derived attribute `derived()[index]` is made of.
    [[nodiscard]] std::vector<std::string> madeOf(std::size_t index) const;

    /// What one thread needs.
    class Scratch;

    struct DeleteScratch {
        void operator()(Scratch* scratch) const;
    };

    using ScratchPtr = std::unique_ptr<Scratch, DeleteScratch>;
    [[nodiscard]] ScratchPtr makeScratch() const;

    /// values[i] is derived()[i] of the request whose fields are `fields` (as many as fields(), in
    /// that order); a view without data where it is missing. Valid until the next call with this
    /// scratch. False: `where` does not hold. Any thread, each with its own scratch.
    bool resolve(const Request& request, const std::string_view* fields, Scratch& scratch,
                 std::string_view* values) const;

private:
    class Parts;
    explicit Resolver(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace engine

#pragma once

#include "engine/diagnostic.h"
#include "engine/result.h"
#include "policies/edit.h"
#include "policies/policy.h"

#include <QString>

#include <string>
#include <vector>

namespace app::console {

class Document;

/// The open policy as the faces beside the text see it, and their one way to change it. Each change
/// is one step of undo in the text. GUI thread.
class PolicyDesk {
public:
    explicit PolicyDesk(Document& document)
        : m_document(document)
    {
    }

    [[nodiscard]] Document& document() const { return m_document; }

    /// The policy as far as it can be read; else the last one that could. nullptr: there was none.
    [[nodiscard]] const policies::Policy* policy() const;
    [[nodiscard]] const std::vector<engine::Diagnostic>& problems() const;
    /// The text can be read, if with errors: faces may change it.
    [[nodiscard]] bool isReadable() const;
    /// policy() is of the text as it stands, so that its spans are places of it.
    [[nodiscard]] bool isCurrent() const;
    [[nodiscard]] const policies::Rule* rule(const std::string& name) const;

    /// The text to make edits in. Brings policy() up to it first.
    std::string text();
    /// Makes the edits and, where that takes no time to speak of, checks at once.
    bool apply(const engine::Result<policies::Edits>& edits);

private:
    Document& m_document;
};

} // namespace app::console

#pragma once
#include "policies/yaml/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace policies::writing {

/// A policy's text as it is going to be written: fields in canonical order, scalars in their final
/// form, every comment beside what it belongs to.
struct Canon {
    enum class Form : std::uint8_t { Scalar, Literal, Map, List };

    std::string key; ///< final form; empty for an item of a list
    Form form = Form::Scalar;
    bool isSpread = false; ///< a map or list that is never written on one line
    bool wasOneLine = false; ///< the text had it on one line
    bool isApart = false; ///< a blank line before it
    std::string text; ///< Scalar: final form; Literal: the text itself
    std::vector<Canon> items;
    std::vector<std::string> before;
    std::string beside;
    std::vector<std::string> after;
};

/// All comments in and on an item, in order.
std::vector<std::string> commentsOf(const yaml::Item& item);

/// Puts together one map or list, so that comments of what is left out move to what comes next.
class Gather {
public:
    /// `source` is what the text had; nullptr if it had nothing of the kind. Borrowed.
    explicit Gather(const yaml::Node* source);

    /// A field, with the comments of the source's field of that name.
    Canon& add(std::string_view name, Canon value);
    /// The field is not written; its comments are kept.
    void drop(std::string_view name);
    /// An item of a list, with the comments of `item`.
    Canon& addItem(Canon value, const yaml::Item* item);

    Canon finish(Canon::Form form, bool isSpread);

private:
    static void hang(Canon& canon, const yaml::Item& item);

    const yaml::Node* m_source;
    Canon m_canon;
    std::vector<std::string> m_homeless;
};

Canon scalarCanon(std::string text);

/// Writes the entries of a map from the first column on.
std::string write(const Canon& root);

} // namespace policies::writing

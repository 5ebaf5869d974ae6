#pragma once
#include "policies/policy.h"
#include "policies/writing/canon.h"

#include <string>

namespace policies::writing {

/// The whole policy in canonical order, with the comments of its document.
Canon canonOf(const Policy& policy);

/// A match on one line, "{ method: [GET, HEAD], path: \"/search/**\" }", values in normal form.
std::string matchText(const MatchList& match);

std::string costText(const engine::Cost& cost);

std::string storeFailureText(engine::StoreFailure failure);

} // namespace policies::writing

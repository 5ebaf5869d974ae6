#pragma once
#include <string_view>

namespace app {

/// What `weir new` writes. A test checks that it is valid.
inline constexpr std::string_view kStartingPolicy
    = R"(# A rate limit policy for weir. `weir check FILE` finds mistakes; `weir replay FILE LOG` says what
# these limits would have done to recorded traffic.
weir: 1                         # version of the language
name: my-api                    # letters, digits, - and _
description: Limits of my API.

# Requests that no rule may touch.
exempt:
  - name: health-checks
    match: { path: /healthz }

# What a log line does not say by itself.
attributes:
  # the /24 or /64 that an address lies in
  network: { from: client_ip, prefix: { ipv4: 24, ipv6: 64 } }

# A request passes the tiers in this order: edge, gateway, endpoint, tenant. In each tier every rule
# applies whose `match` holds and whose key attributes the request has; the first tier that rejects
# ends its way.
tiers:
  edge:
    # Nobody may flood the door: one bucket for each network.
    - name: per-network
      key: [network]
      algorithm: sliding_window_counter
      rate: 6000/min

  gateway:
    # The plan's limit: 60 at once, then one a second.
    - name: per-key
      key: [api_key]
      algorithm: token_bucket
      rate: 60/min
      burst: 60
      allow: [burst.first-second] # `weir check` says what it would; this rule lives with it

  endpoint:
    # Guessing passwords: exact, and per network.
    - name: login
      match: { method: POST, path: /login }
      key: [network]
      algorithm: sliding_window_log
      rate: 10/min
      on_store_failure: closed  # without its counts, let nobody guess

    # A new rule is tried in shadow first: it judges and counts, and rejects nobody.
    - name: search
      mode: shadow
      match: { path: "/search/**" }
      key: [api_key]
      algorithm: sliding_window_counter
      rate: 10/min

  tenant:
    # Everything together, so that many keys do not add up without end.
    - name: everybody
      key: []
      algorithm: token_bucket
      rate: 1000/s
      burst: 2000
      allow: [burst.first-second] # as many as the servers bear in one second
)";

} // namespace app

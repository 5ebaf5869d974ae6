// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the access log of the demonstration: one day of an API behind nginx, as nginx would have
// written it with the format in log_format.txt, and the table of API keys and plans beside it.
//
// usage: make_demo_log ACCESS_LOG PLANS_CSV
//
// Whole numbers and a generator of our own only, so that every machine writes the same bytes.
#include "app/demo/traffic.h"

#include <cstdio>
#include <fstream>

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::fputs("usage: make_demo_log ACCESS_LOG PLANS_CSV\n", stderr);
        return 2;
    }
    app::demo::Traffic traffic(20260317);
    traffic.ordinaryDay();
    traffic.healthChecks();
    traffic.nightlyBatch();
    traffic.launchSpike();
    traffic.noisyNeighbour();
    traffic.scraper();
    traffic.loginAttack();
    traffic.exports();
    traffic.textMessages();
    traffic.brokenClients();

    std::ofstream log(argv[1], std::ios::binary);
    for (const app::demo::Line& line : traffic.answered()) {
        log << line.text << '\n';
    }
    std::ofstream plans(argv[2], std::ios::binary);
    plans << "api_key,plan\n";
    for (const app::demo::Key& key : traffic.keys()) {
        plans << key.name << ',' << key.plan << '\n';
    }
    log.close();
    plans.close();
    if (!log || !plans) {
        std::fprintf(stderr, "make_demo_log: cannot write %s or %s\n", argv[1], argv[2]);
        return 1;
    }
    return 0;
}

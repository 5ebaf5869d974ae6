#include "tests/support/model/engine_run.h"

#include <QTest>

using tests::model::Case;
using tests::model::CaseOptions;
using tests::model::firstComplaint;
using tests::model::firstDifference;
using tests::model::kUsualDecisions;
using tests::model::runEngine;

/// The same as engine_equals_model where several servers share the traffic, clocks are off, the
/// store is away for a while, and clients come again.
class TestConditionsEqualModel : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void everyFieldOfEveryDecision()
    {
        const CaseOptions options {.maxRules = 4, .maxRequests = 60, .conditions = true};
        const std::string complaint
            = firstComplaint(kUsualDecisions / 8, options, [](const Case& given) {
                  return firstDifference(given, runEngine(given));
              });
        QVERIFY2(complaint.empty(), complaint.c_str());
    }
};

QTEST_APPLESS_MAIN(TestConditionsEqualModel)
#include "tst_conditions_equal_model.moc"

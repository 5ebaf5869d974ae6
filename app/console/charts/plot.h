#pragma once

/// QCustomPlot, which writes `signals:` and `foreach`: words that we do without.
#ifdef QT_NO_KEYWORDS
#include <QObject>
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit Q_EMIT
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef emit
#undef foreach
#else
#include <qcustomplot.h>
#endif

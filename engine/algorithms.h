#pragma once
#include "engine/algorithms/adaptive_concurrency.h"
#include "engine/algorithms/concurrency.h"
#include "engine/algorithms/fixed_window.h"
#include "engine/algorithms/load_shedder.h"
#include "engine/algorithms/meter.h"
#include "engine/algorithms/sliding_window_counter.h"
#include "engine/algorithms/sliding_window_log.h"

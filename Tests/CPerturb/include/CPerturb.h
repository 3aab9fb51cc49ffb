#pragma once

#include <stdint.h>

/// The time that passes where processes meet, in SQLite's files and in calls for files.
typedef struct {
  uint64_t seed;
  /// The longest delay, in microseconds; four times as long inside of a checkpoint.
  unsigned microseconds;
  /// How often there is one: once in so many calls, and at each checkpoint.
  unsigned one_in;
} perturb_delays;

/// Lets time pass in this process. Once, before the first connection is opened.
void perturb_files(perturb_delays delays);

/// Has a function called by each checkpoint that has looked at the WAL, and moved nothing yet.
/// Once, before the first connection is opened.
void perturb_at_checkpoints(void (*began)(void));

/// Lets time pass here, once in some calls, after `perturb_files`.
void perturb_pass(void);

/// Stops threads of this process for a moment, again and again, wherever they are: also while they
/// hold a lock. Returns an error number, or 0.
///
/// The variable `STRATA_PERTURB_SEED` of the environment does so in each process from its start.
int perturb_threads(uint64_t seed);

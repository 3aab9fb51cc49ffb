#pragma once

#include "CFaultHooks.h"

#include <sqlite3.h>

/// Makes the first half of a write.
typedef void (*fault_half_write)(void *context);

/// Counts an event. Returns the code with which it must fail, or 0; doesn't return when the process
/// is to be killed here.
///
/// - half_write: What to do before that, for a write; or NULL.
int fault_at(fault_event event, const char *detail, fault_half_write half_write, void *context);

/// Notes the statement that is running, for the report.
void fault_note_statement(sqlite3 *connection, const char *sql);

/// Makes every connection use files that meet faults.
void fault_register_files(void);

/// Makes every connection report its statements, and have no more pages than the limit.
void fault_register_connections(int page_limit);

/// Lets connections that are opened from now on have as many pages as they like.
void fault_lift_page_limit(void);

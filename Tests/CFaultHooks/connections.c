#include "internal.h"

#include <stdatomic.h>
#include <stdio.h>

static atomic_int limit;

static int traced(unsigned type, void *connection, void *statement, void *text) {
  fault_note_statement(connection, text);
  fault_at(fault_statement, "before a statement", NULL, NULL);
  return 0;
}

/// Called by SQLite for each new connection.
static int opened(sqlite3 *connection, char **message, const struct sqlite3_api_routines *api) {
  int pages = atomic_load(&limit);
  if (pages > 0) {
    char sql[60];
    snprintf(sql, sizeof sql, "PRAGMA max_page_count = %d", pages);
    int code = sqlite3_exec(connection, sql, NULL, NULL, message);
    if (code != SQLITE_OK) return code;
  }
  return sqlite3_trace_v2(connection, SQLITE_TRACE_STMT, traced, connection);
}

void fault_register_connections(int page_limit) {
  atomic_store(&limit, page_limit);
  sqlite3_auto_extension((void (*)(void))opened);
}

void fault_lift_page_limit(void) { atomic_store(&limit, 0); }

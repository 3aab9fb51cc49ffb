#include "fuzzing.h"

#include <sqlite3.h>
#include <string.h>

static void no_result(sqlite3_context *context, int count, sqlite3_value **values) {}

static int equal(void *unused, int count, const void *first, int other, const void *second) {
  return 0;
}

static void add_collation(void *unused, sqlite3 *db, int encoding, const char *name) {
  sqlite3_create_collation(db, name, encoding, NULL, equal);
}

/// Adds the function that the last error didn't find.
static int add_function(sqlite3 *db) {
  static const char start[] = "no such function: strata_";
  const char *message = sqlite3_errmsg(db);
  if (strncmp(message, start, sizeof start - 1) != 0) return 0;
  char name[100];
  strncpy(name, message + strlen("no such function: "), sizeof name - 1);
  name[sizeof name - 1] = 0;
  int kind = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
  return sqlite3_create_function(db, name, -1, kind, NULL, no_result, NULL, NULL) == SQLITE_OK;
}

const char *fuzzing_problem(const char *tables, const char *statement) {
  static sqlite3 *db;
  if (db == NULL) {
    sqlite3_open(":memory:", &db);
    sqlite3_collation_needed(db, NULL, add_collation);
    if (sqlite3_exec(db, tables, NULL, NULL, NULL) != SQLITE_OK) return sqlite3_errmsg(db);
  }
  sqlite3_stmt *prepared = NULL;
  while (sqlite3_prepare_v2(db, statement, -1, &prepared, NULL) != SQLITE_OK) {
    if (!add_function(db)) return sqlite3_errmsg(db);
  }
  sqlite3_finalize(prepared);
  return NULL;
}

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "CStrataRuntime.h"

// SQLite's pre-update hook. It is declared by hand and looked up by name, because a library may be
// built without it, and its header hides it unless a macro asks for it.

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_value sqlite3_value;

typedef void (*preupdate_callback)(
  void *context, sqlite3 *connection, int operation, const char *schema, const char *table,
  int64_t old_row, int64_t new_row);

static struct {
  void *(*hook)(sqlite3 *, preupdate_callback, void *);
  int (*old_value)(sqlite3 *, int, sqlite3_value **);
  int (*new_value)(sqlite3 *, int, sqlite3_value **);
  int64_t (*int64)(sqlite3_value *);
} sqlite;

// Codes of operations, which never change.
enum { OPERATION_DELETE = 9, OPERATION_INSERT = 18, OPERATION_UPDATE = 23 };

bool strata_changes_are_available(void) {
  // Writing the same pointers twice is harmless.
  *(void **)&sqlite.old_value = dlsym(RTLD_DEFAULT, "sqlite3_preupdate_old");
  *(void **)&sqlite.new_value = dlsym(RTLD_DEFAULT, "sqlite3_preupdate_new");
  *(void **)&sqlite.int64 = dlsym(RTLD_DEFAULT, "sqlite3_value_int64");
  *(void **)&sqlite.hook = dlsym(RTLD_DEFAULT, "sqlite3_preupdate_hook");
  return sqlite.hook && sqlite.old_value && sqlite.new_value && sqlite.int64;
}

typedef struct {
  char *name;
  // The key is the value of the first column, and not the rowid.
  bool has_owner;
} noted_table;

// How many tables are found by the address of their names. A power of two.
enum { CACHED = 64 };

struct strata_changes {
  strata_change *noted;
  size_t count;
  size_t room;
  noted_table *tables;
  uint32_t table_count;
  uint32_t table_room;
  // Where the name of a table was last, and the table's number. Addresses are used again after the
  // schema changes, so the name is compared as well.
  const char *cached_names[CACHED];
  uint32_t cached_tables[CACHED];
  bool is_incomplete;
};

static const uint32_t no_table = UINT32_MAX;

/// Adds a table and returns its number, or `no_table` without memory.
static uint32_t add_table(strata_changes *changes, const char *name, bool has_owner) {
  if (changes->table_count == changes->table_room) {
    uint32_t room = changes->table_room == 0 ? 16 : changes->table_room * 2;
    noted_table *tables = realloc(changes->tables, room * sizeof *tables);
    if (tables == NULL) return no_table;
    changes->tables = tables;
    changes->table_room = room;
  }
  char *copy = strdup(name);
  if (copy == NULL) return no_table;
  changes->tables[changes->table_count] = (noted_table){copy, has_owner};
  return changes->table_count++;
}

static uint32_t find_table(strata_changes *changes, const char *name) {
  size_t slot = ((uintptr_t)name >> 4) % CACHED;
  if (changes->cached_names[slot] == name) {
    uint32_t table = changes->cached_tables[slot];
    if (strcmp(changes->tables[table].name, name) == 0) return table;
  }
  uint32_t table = 0;
  while (table < changes->table_count && strcmp(changes->tables[table].name, name) != 0) table++;
  if (table == changes->table_count) {
    table = add_table(changes, name, false);
    if (table == no_table) return no_table;
  }
  changes->cached_names[slot] = name;
  changes->cached_tables[slot] = table;
  return table;
}

static void note(strata_changes *changes, uint32_t table, int64_t key) {
  if (changes->count > 0) {
    // The elements of one collection are written one after the other.
    const strata_change *last = &changes->noted[changes->count - 1];
    if (last->key == key && last->table == table) return;
  }
  if (changes->count == changes->room) {
    size_t room = changes->room == 0 ? 256 : changes->room * 2;
    strata_change *noted = realloc(changes->noted, room * sizeof *noted);
    if (noted == NULL) {
      changes->is_incomplete = true;
      return;
    }
    changes->noted = noted;
    changes->room = room;
  }
  changes->noted[changes->count++] = (strata_change){key, table};
}

/// Notes the first column of the old or the new version of the row.
static void note_owner(
  strata_changes *changes, uint32_t table, sqlite3 *connection,
  int (*get)(sqlite3 *, int, sqlite3_value **)) {
  sqlite3_value *value = NULL;
  if (get(connection, 0, &value) != 0 || value == NULL) {
    changes->is_incomplete = true;
    return;
  }
  note(changes, table, sqlite.int64(value));
}

static void row_changes(
  void *context, sqlite3 *connection, int operation, const char *schema, const char *name,
  int64_t old_row, int64_t new_row) {
  strata_changes *changes = context;
  if (strcmp(schema, "main") != 0) return;
  uint32_t table = find_table(changes, name);
  if (table == no_table) {
    changes->is_incomplete = true;
    return;
  }
  bool had_row = operation != OPERATION_INSERT;
  bool has_row = operation != OPERATION_DELETE;
  if (changes->tables[table].has_owner) {
    if (had_row) note_owner(changes, table, connection, sqlite.old_value);
    if (has_row) note_owner(changes, table, connection, sqlite.new_value);
    return;
  }
  if (had_row) note(changes, table, old_row);
  if (has_row && !(had_row && old_row == new_row)) note(changes, table, new_row);
}

static void row_is_deleted(
  void *context, sqlite3 *connection, int operation, const char *schema, const char *name,
  int64_t old_row, int64_t new_row) {
  const strata_deletions *deletions = context;
  if (deletions->beside != NULL) {
    row_changes(deletions->beside, connection, operation, schema, name, old_row, new_row);
  }
  if (operation == OPERATION_DELETE && strcmp(name, deletions->table) == 0
      && strcmp(schema, "main") == 0) {
    deletions->deleted(deletions->context, old_row);
  }
}

void strata_deletions_begin(strata_deletions *deletions, void *connection) {
  sqlite.hook(connection, row_is_deleted, deletions);
}

void strata_deletions_end(const strata_deletions *deletions, void *connection) {
  sqlite.hook(connection, deletions->beside == NULL ? NULL : row_changes, deletions->beside);
}

strata_changes *strata_changes_create(void) { return calloc(1, sizeof(strata_changes)); }

void strata_changes_free(strata_changes *changes) {
  for (uint32_t table = 0; table < changes->table_count; table++) {
    free(changes->tables[table].name);
  }
  free(changes->tables);
  free(changes->noted);
  free(changes);
}

bool strata_changes_add_owner_table(strata_changes *changes, const char *name) {
  return add_table(changes, name, true) != no_table;
}

bool strata_changes_install(strata_changes *changes, void *connection) {
  return sqlite.hook(connection, row_changes, changes) == changes;
}

void strata_changes_remove(void *connection) { sqlite.hook(connection, NULL, NULL); }

const strata_change *strata_changes_noted(const strata_changes *changes, size_t *count) {
  *count = changes->count;
  return changes->noted;
}

const char *strata_changes_table_name(const strata_changes *changes, uint32_t table) {
  return changes->tables[table].name;
}

uint32_t strata_changes_table_count(const strata_changes *changes) {
  return changes->table_count;
}

bool strata_changes_are_complete(const strata_changes *changes) {
  return !changes->is_incomplete;
}

void strata_changes_forget(strata_changes *changes) {
  changes->count = 0;
  changes->is_incomplete = false;
  // A large transaction doesn't keep its memory for all smaller ones to come.
  enum { KEPT = 1 << 16 };
  if (changes->room > KEPT) {
    free(changes->noted);
    changes->noted = NULL;
    changes->room = 0;
  }
}

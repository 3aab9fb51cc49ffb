#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CStrataRuntime.h"

// SQLite's pre-update hook. It is declared here and looked up by name, because a library may be
// built without it, and SQLite's header declares it only with a macro.

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_value sqlite3_value;

typedef void (*preupdate_callback)(
  void *context, sqlite3 *connection, int operation, const char *schema, const char *table,
  int64_t old_row, int64_t new_row);

static struct {
  void *(*hook)(sqlite3 *, preupdate_callback, void *);
  int (*old_value)(sqlite3 *, int, sqlite3_value **);
  int (*new_value)(sqlite3 *, int, sqlite3_value **);
  int (*depth)(sqlite3 *);
  int (*type)(sqlite3_value *);
  int64_t (*int64)(sqlite3_value *);
  double (*real)(sqlite3_value *);
  const void *(*blob)(sqlite3_value *);
  int (*bytes)(sqlite3_value *);
} sqlite;

// Codes of operations and of types, which never change.
enum { OPERATION_DELETE = 9, OPERATION_INSERT = 18, OPERATION_UPDATE = 23 };
enum { TYPE_INTEGER = 1, TYPE_REAL = 2, TYPE_NULL = 5 };

static pthread_once_t is_looked_up = PTHREAD_ONCE_INIT;

static void look_up(void) {
  *(void **)&sqlite.old_value = dlsym(RTLD_DEFAULT, "sqlite3_preupdate_old");
  *(void **)&sqlite.new_value = dlsym(RTLD_DEFAULT, "sqlite3_preupdate_new");
  *(void **)&sqlite.depth = dlsym(RTLD_DEFAULT, "sqlite3_preupdate_depth");
  *(void **)&sqlite.type = dlsym(RTLD_DEFAULT, "sqlite3_value_type");
  *(void **)&sqlite.int64 = dlsym(RTLD_DEFAULT, "sqlite3_value_int64");
  *(void **)&sqlite.real = dlsym(RTLD_DEFAULT, "sqlite3_value_double");
  *(void **)&sqlite.blob = dlsym(RTLD_DEFAULT, "sqlite3_value_blob");
  *(void **)&sqlite.bytes = dlsym(RTLD_DEFAULT, "sqlite3_value_bytes");
  *(void **)&sqlite.hook = dlsym(RTLD_DEFAULT, "sqlite3_preupdate_hook");
}

bool strata_changes_are_available(void) {
  pthread_once(&is_looked_up, look_up);
  return sqlite.hook && sqlite.old_value && sqlite.new_value && sqlite.depth && sqlite.type
    && sqlite.int64 && sqlite.real && sqlite.blob && sqlite.bytes;
}

typedef struct {
  char *name;
  // Whether the key is the value of the first column, and not the rowid.
  bool has_owner;
  // For each column the bit that an update of it sets; NULL if updates record no columns.
  strata_column_bit *column_bits;
  int column_count;
  // The number of words for the bits.
  uint16_t word_count;
} noted_table;

// The number of tables that are cached by the address of their names. A power of two.
enum { CACHED = 64 };

struct strata_changes {
  strata_change *noted;
  size_t count;
  size_t room;
  noted_table *tables;
  uint32_t table_count;
  uint32_t table_room;
  // The last addresses of tables' names, and the tables' numbers. Addresses are reused after the
  // schema changes, so the name is compared as well.
  const char *cached_names[CACHED];
  uint32_t cached_tables[CACHED];
  bool is_incomplete;
  // The bits that the caller's statement sets, so that no row needs comparing; empty if unknown.
  uint64_t *expected;
  size_t expected_count;
  size_t expected_room;
};

static const uint32_t no_table = UINT32_MAX;

/// Adds a table. Returns its number, or `no_table` if memory is exhausted.
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
  changes->tables[changes->table_count] = (noted_table){copy, has_owner, NULL, 0, 0};
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

static void note(
  strata_changes *changes, uint32_t table, int64_t key, uint16_t operation, uint16_t word,
  uint64_t columns) {
  if (changes->count > 0) {
    // The elements of one collection are written one after the other.
    strata_change *last = &changes->noted[changes->count - 1];
    if (last->key == key && last->table == table && operation == OPERATION_UPDATE
        && last->operation != OPERATION_DELETE
        && (last->word == word || last->operation == OPERATION_INSERT)) {
      last->columns |= columns;
      return;
    }
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
  changes->noted[changes->count++] = (strata_change){key, columns, table, operation, word};
}

/// Records the first column of the old or the new version of the row.
static void note_owner(
  strata_changes *changes, uint32_t table, sqlite3 *connection,
  int (*get)(sqlite3 *, int, sqlite3_value **)) {
  sqlite3_value *value = NULL;
  if (get(connection, 0, &value) != 0 || value == NULL) {
    changes->is_incomplete = true;
    return;
  }
  note(changes, table, sqlite.int64(value), OPERATION_UPDATE, 0, 0);
}

/// Whether two values are stored as the same bytes.
static bool are_same(sqlite3_value *first, sqlite3_value *second) {
  int type = sqlite.type(first);
  if (sqlite.type(second) != type) return false;
  if (type == TYPE_NULL) return true;
  if (type == TYPE_INTEGER) return sqlite.int64(first) == sqlite.int64(second);
  if (type == TYPE_REAL) {
    double numbers[2] = {sqlite.real(first), sqlite.real(second)};
    return memcmp(&numbers[0], &numbers[1], sizeof numbers[0]) == 0;
  }
  const void *bytes[2] = {sqlite.blob(first), sqlite.blob(second)};
  int count = sqlite.bytes(first);
  if (sqlite.bytes(second) != count) return false;
  return count == 0 || (bytes[0] != NULL && bytes[1] != NULL && memcmp(bytes[0], bytes[1], count) == 0);
}

/// Returns the bits of one of the words that an update changes; all bits if that is unknown.
static uint64_t changed_columns(const noted_table *table, uint16_t word, sqlite3 *connection) {
  uint64_t columns = 0;
  for (int column = 0; column < table->column_count; column++) {
    uint64_t bit = table->column_bits[column].bit;
    if (table->column_bits[column].word != word || (columns & bit) == bit) continue;
    sqlite3_value *old = NULL, *new = NULL;
    if (sqlite.old_value(connection, column, &old) != 0
        || sqlite.new_value(connection, column, &new) != 0 || old == NULL || new == NULL) {
      return UINT64_MAX;
    }
    if (!are_same(old, new)) columns |= bit;
  }
  return columns;
}

/// Records the update of a row, and the columns that it changes.
static void note_update(
  strata_changes *changes, uint32_t number, int64_t row, sqlite3 *connection) {
  const noted_table *table = &changes->tables[number];
  // A trigger of the statement, or a foreign key, changes other columns than the statement.
  bool is_expected = changes->expected_count > 0 && sqlite.depth(connection) == 0;
  note(
    changes, number, row, OPERATION_UPDATE, 0,
    table->column_bits == NULL ? 0
    : is_expected ? changes->expected[0] : changed_columns(table, 0, connection));
  for (uint16_t word = 1; word < table->word_count; word++) {
    uint64_t columns = !is_expected ? changed_columns(table, word, connection)
      : word < changes->expected_count ? changes->expected[word] : 0;
    if (columns != 0) note(changes, number, row, OPERATION_UPDATE, word, columns);
  }
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
  if (changes->tables[table].has_owner) {
    if (operation != OPERATION_INSERT) {
      note_owner(changes, table, connection, sqlite.old_value);
    }
    if (operation != OPERATION_DELETE) {
      note_owner(changes, table, connection, sqlite.new_value);
    }
    return;
  }
  switch (operation) {
  case OPERATION_INSERT: note(changes, table, new_row, OPERATION_INSERT, 0, 0); break;
  case OPERATION_DELETE: note(changes, table, old_row, OPERATION_DELETE, 0, 0); break;
  default:
    if (old_row == new_row) {
      note_update(changes, table, old_row, connection);
    } else {
      // One row was deleted, and another one inserted.
      note(changes, table, old_row, OPERATION_DELETE, 0, 0);
      note(changes, table, new_row, OPERATION_INSERT, 0, 0);
    }
  }
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
    free(changes->tables[table].column_bits);
  }
  free(changes->tables);
  free(changes->noted);
  free(changes->expected);
  free(changes);
}

bool strata_changes_add_owner_table(strata_changes *changes, const char *name) {
  return add_table(changes, name, true) != no_table;
}

bool strata_changes_add_columns(
  strata_changes *changes, const char *name, const strata_column_bit *bits, int count) {
  strata_column_bit *copy = malloc((count > 0 ? count : 1) * sizeof *copy);
  if (copy == NULL) return false;
  memcpy(copy, bits, count * sizeof *copy);
  uint32_t table = add_table(changes, name, false);
  if (table == no_table) {
    free(copy);
    return false;
  }
  changes->tables[table].column_bits = copy;
  changes->tables[table].column_count = count;
  for (int column = 0; column < count; column++) {
    if (bits[column].word >= changes->tables[table].word_count) {
      changes->tables[table].word_count = bits[column].word + 1;
    }
  }
  return true;
}

void strata_changes_expect(strata_changes *changes, const uint64_t *words, size_t count) {
  changes->expected_count = 0;
  if (count > changes->expected_room) {
    uint64_t *expected = realloc(changes->expected, count * sizeof *expected);
    // If memory is exhausted, rows are compared.
    if (expected == NULL) return;
    changes->expected = expected;
    changes->expected_room = count;
  }
  if (count > 0) memcpy(changes->expected, words, count * sizeof *words);
  changes->expected_count = count;
}

bool strata_changes_install(strata_changes *changes, void *connection) {
  return sqlite.hook(connection, row_changes, changes) == changes;
}

void strata_changes_remove(void *connection) { sqlite.hook(connection, NULL, NULL); }

const strata_change *strata_changes_recorded(const strata_changes *changes, size_t *count) {
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
  // A large transaction must not keep its memory for all later, smaller ones.
  enum { KEPT = 1 << 16 };
  if (changes->room > KEPT) {
    free(changes->noted);
    changes->noted = NULL;
    changes->room = 0;
  }
}

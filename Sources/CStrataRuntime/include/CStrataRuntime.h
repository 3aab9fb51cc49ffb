#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A stored field of a Swift class, as described by the runtime.
typedef struct {
  /// The name in UTF-8, or NULL if the class was compiled without reflection metadata.
  const char *name;
  /// The distance in bytes from the start of the instance.
  intptr_t offset;
  /// The metatype pointer of the field's type.
  const void *type;
  /// Frees `name`. NULL if the name needs no freeing.
  void (*free_name)(const char *);
} strata_field;

/// Returns the number of stored fields of the class with the metadata `type`, including its
/// superclasses.
intptr_t strata_field_count(const void *type);

/// Returns the field at `index`, fields of superclasses first, then in the order of declaration.
///
/// `index` must be at least 0 and below `strata_field_count(type)`.
strata_field strata_field_at(const void *type, intptr_t index);

/// Returns the nominal type descriptor of `metadata`, or NULL for a type without one.
const void *strata_type_context_descriptor(const void *metadata);

/// Calls the metadata accessor of a type without generic arguments and returns the metadata.
const void *strata_call_accessor(const void *function);

/// Receives the type records of one image.
///
/// `start` and `length` (in bytes) delimit records of four bytes each. `version` is the image's
/// layout version. It is 0 if the image has no version; then `length` is 0 as well.
typedef void (*strata_section_visitor)(
  const void *start, size_t length, uintptr_t version, void *context);

/// Calls `visit` once for each loaded image that contains Swift types.
///
/// `visit` may run under a lock of the Swift runtime, so it should only store its argument.
void strata_each_type_section(strata_section_visitor visit, void *context);

/// Records the type records of an image, for platforms whose loader announces images but can't list
/// them.
///
/// May be called on any thread. It is compiled on all platforms, so that little code is specific to
/// one of them.
void strata_known_sections_add(const void *start, size_t length);

/// Calls `visit` for all recorded sections, without a lock.
void strata_known_sections_visit(strata_section_visitor visit, void *context);

/// Whether the object that this thread is creating will be filled from a row.
///
/// While this is true, default values of properties need not be evaluated.
bool strata_is_materialising(void);

/// Sets whether the next object that this thread creates will be filled from a row.
void strata_set_materialising(bool value);

/// Records that the properties of an object that this thread creates have their first values.
///
/// If it is the first object since ``strata_set_materialising`` was called with true, the object is
/// stored, and the thread's next object is an ordinary one.
void strata_object_initialised(const void *object);

/// Whether this thread creates an object only to inspect its class.
///
/// A type without a value for a new property then records that, instead of stopping the process.
bool strata_is_trying(void);
void strata_begin_trying(void);

/// Ends ``strata_begin_trying``. Returns the last recorded type, or null.
const void *strata_end_trying(void);
void strata_record_missing_value(const void *type);

/// Turns SQLite's memory statistics on or off, for the whole process. Returns SQLite's result code.
int strata_count_sqlite_memory(bool counts);

/// Returns the object that ``strata_object_initialised`` stored last on this thread.
const void *strata_initialised_object(void);

/// Reads a time that other threads advance, with acquire semantics.
///
/// The attribute `pure` tells Swift that the call releases nothing, so that Swift need not keep
/// objects alive for the call. Swift may still read the time again for each call.
static inline __attribute__((pure)) uint64_t strata_time_now(const uint64_t *time) {
  return __atomic_load_n(time, __ATOMIC_ACQUIRE);
}

/// Advances a time by one. Returns the new time.
static inline uint64_t strata_time_advance(uint64_t *time) {
  return __atomic_add_fetch(time, 1, __ATOMIC_ACQ_REL);
}

/// Sets a time.
static inline void strata_time_set(uint64_t *time, uint64_t value) {
  __atomic_store_n(time, value, __ATOMIC_RELEASE);
}

/// Reads the time at which a file was created, in nanoseconds since 1970. Returns false if the file
/// system doesn't record the time, or if there is no file.
bool strata_file_birth(const char *path, int64_t *nanoseconds);

/// Returns a number for the task that runs on this thread, which no other task ever has; 0 outside
/// of tasks.
uint64_t strata_current_task(void);

/// Retains the object at an address, unless its deinitialization has begun. Returns whether the
/// object was retained. The address must be 0, or that of an object whose memory isn't released
/// yet.
bool strata_try_retain(uintptr_t object);

/// Whether this is the initial thread of the process. Checked once for each thread, because
/// Foundation's check takes half a microsecond.
bool strata_is_main_thread(void);

/// Returns a number for this thread, which no other thread ever has, and which is never 0.
uint64_t strata_current_thread(void);

/// The rows that were written on a connection since the last `strata_changes_forget`, as reported
/// by SQLite's pre-update hook.
///
/// The recorder has no lock: only the user of the connection may use it.
typedef struct strata_changes strata_changes;

/// A row that was inserted, updated or deleted.
typedef struct {
  /// The rowid. For a table that was added with `strata_changes_add_owner_table`, the first column.
  int64_t key;
  /// The bits of the columns that an update has changed, in one of the words: see
  /// `strata_changes_add_columns`.
  uint64_t columns;
  /// The number of the table: see `strata_changes_table_name`.
  uint32_t table;
  /// SQLite's code: 9 for a deletion, 18 for an insertion, 23 for an update.
  uint16_t operation;
  /// The word of the bits. An update that has changed columns of several words is recorded for
  /// each.
  uint16_t word;
} strata_change;

/// The bit for updates of a column, in one of several words, because a table may have more columns
/// than a word has bits. A column that isn't recorded has no bit.
typedef struct {
  uint64_t bit;
  uint16_t word;
} strata_column_bit;

/// Whether the SQLite of this process has the hook. Must be called before all other functions.
bool strata_changes_are_available(void);

/// Returns an empty recorder, or NULL if memory is exhausted.
strata_changes *strata_changes_create(void);

/// Frees the recorder, which must not be installed any more.
void strata_changes_free(strata_changes *changes);

/// Records the rows of a table by their first column instead of their rowid, from now on. Returns
/// false if memory is exhausted.
bool strata_changes_add_owner_table(strata_changes *changes, const char *name);

/// Sets the bit for an update of each column of a table. Returns false if memory is exhausted.
bool strata_changes_add_columns(
  strata_changes *changes, const char *name, const strata_column_bit *bits, int count);

/// Sets the words of bits for the updates of the next statement, so that rows aren't compared.
/// Reset it after the statement with a count of 0.
void strata_changes_expect(strata_changes *changes, const uint64_t *words, size_t count);

/// Records the rows that an `sqlite3 *` writes from now on, in the schema `main`. Returns true if
/// this was the hook of the connection before.
bool strata_changes_install(strata_changes *changes, void *connection);

/// Removes the hook of the connection, whoever installed it.
void strata_changes_remove(void *connection);

/// Returns the recorded changes in order, possibly several of one row. Valid until the connection
/// writes again.
const strata_change *strata_changes_recorded(const strata_changes *changes, size_t *count);

/// Returns the name of a table by its number.
const char *strata_changes_table_name(const strata_changes *changes, uint32_t table);

/// Returns the number of numbered tables.
uint32_t strata_changes_table_count(const strata_changes *changes);

/// Whether each row was recorded; false if memory was exhausted.
bool strata_changes_are_complete(const strata_changes *changes);

/// Removes the recorded changes.
void strata_changes_forget(strata_changes *changes);

/// A callback for each row that is deleted from a table, during one statement.
typedef struct {
  /// The name of the table in the schema `main`.
  const char *table;
  void (*deleted)(void *context, int64_t row);
  void *context;
  /// The recorder of all changes on the connection, which continues to record; or NULL.
  strata_changes *beside;
} strata_deletions;

/// Takes over the hook of the connection, which only `beside` may use.
void strata_deletions_begin(strata_deletions *deletions, void *connection);

/// Returns the hook to `beside`.
void strata_deletions_end(const strata_deletions *deletions, void *connection);

/// The free part of the memory for texts.
typedef struct {
  char *next;
  size_t size;
} strata_text_place;

/// Stores the texts that are bound on this thread in the given memory from now on, so that SQLite
/// doesn't allocate memory for each. Returns the memory that was in use before.
strata_text_place strata_texts_begin(void *start, size_t size);

/// Restores the memory that was in use before.
void strata_texts_end(strata_text_place outer);

/// Copies a text into the memory. Returns NULL if there is no memory, or if it is full.
const char *strata_texts_keep(const void *text, size_t size);

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A stored field of a Swift class, as the runtime describes it.
typedef struct {
  /// The name in UTF-8, or NULL when the class was compiled without reflection metadata.
  const char *name;
  /// The distance in bytes from the start of the instance.
  intptr_t offset;
  /// The metatype pointer of the field's type.
  const void *type;
  /// Frees `name`. NULL when the name needs no freeing.
  void (*free_name)(const char *);
} strata_field;

/// The number of stored fields of the class with the metadata `type`, its superclasses included.
intptr_t strata_field_count(const void *type);

/// The field at `index`, fields of superclasses first, then in the order of declaration.
///
/// `index` must be at least 0 and below `strata_field_count(type)`.
strata_field strata_field_at(const void *type, intptr_t index);

/// The nominal type descriptor of `metadata`, or NULL for a type that has none.
const void *strata_type_context_descriptor(const void *metadata);

/// Calls the metadata accessor of a type without generic arguments and returns the metadata.
const void *strata_call_accessor(const void *function);

/// Receives the type records of one image.
///
/// `start` and `length` (in bytes) delimit records of four bytes each. `version` is the layout
/// version that the image states; 0 when it states none, and then `length` is 0.
typedef void (*strata_section_visitor)(
  const void *start, size_t length, uintptr_t version, void *context);

/// Calls `visit` once for each loaded image that contains Swift types.
///
/// `visit` may run under a lock of the Swift runtime: it should only note its argument.
void strata_each_type_section(strata_section_visitor visit, void *context);

/// Notes the type records of an image, where the loader announces images and can't be asked for
/// them.
///
/// May be called on any thread. All platforms compile it, so that little is left for one of them.
void strata_known_sections_add(const void *start, size_t length);

/// Calls `visit` for everything that was noted, without a lock.
void strata_known_sections_visit(strata_section_visitor visit, void *context);

/// Whether the object that this thread is creating will be filled from a row.
///
/// While this is true, default values of properties need not be evaluated.
bool strata_is_materialising(void);

/// Says whether the next object that this thread creates will be filled from a row.
void strata_set_materialising(bool value);

/// Says that the properties of an object that this thread creates have their first values.
///
/// If it is the first one since ``strata_set_materialising`` was called with true, it is noted, and
/// what this thread creates next is ordinary.
void strata_object_initialised(const void *object);

/// Whether this thread makes an object only to find out what its class is like.
///
/// A type without a value for a new property then notes that, instead of stopping the process.
bool strata_is_trying(void);
void strata_begin_trying(void);

/// Ends what ``strata_begin_trying`` began, and returns the type that was noted last, or null.
const void *strata_end_trying(void);
void strata_note_missing_value(const void *type);

/// The word of a Swift object in which the runtime counts references to it, strong and other ones,
/// or has the address of a table of counts. What its value means is the runtime's own matter.
static inline uint64_t strata_reference_counts(const void *object) {
  return __atomic_load_n((const uint64_t *)object + 1, __ATOMIC_ACQUIRE);
}

/// The object noted last on this thread by ``strata_object_initialised``.
const void *strata_initialised_object(void);

/// Reads a time that other threads advance, with acquire semantics.
///
/// `pure` is what tells Swift that nothing is released here, so that it need not keep objects alive
/// for the call; it may read the time again for each question.
static inline __attribute__((pure)) uint64_t strata_time_now(const uint64_t *time) {
  return __atomic_load_n(time, __ATOMIC_ACQUIRE);
}

/// Advances a time by one, and returns the new one.
static inline uint64_t strata_time_advance(uint64_t *time) {
  return __atomic_add_fetch(time, 1, __ATOMIC_ACQ_REL);
}

/// Sets a time.
static inline void strata_time_set(uint64_t *time, uint64_t value) {
  __atomic_store_n(time, value, __ATOMIC_RELEASE);
}

/// A number for the task that runs on this thread, which no other task has or will have; 0 outside
/// of tasks.
uint64_t strata_current_task(void);

/// Whether this is the thread that the process began with. Asked once a thread, since Foundation
/// takes half a microsecond.
bool strata_is_main_thread(void);

/// A number for this thread, which no other thread has or will have, and which is never 0.
uint64_t strata_current_thread(void);

/// The rows that were written on a connection since they were forgotten last, as SQLite's
/// pre-update hook tells them.
///
/// To be used where the connection is: nothing in it is locked.
typedef struct strata_changes strata_changes;

/// A row that was inserted, updated or deleted.
typedef struct {
  /// The rowid; of a table that was added with `strata_changes_add_owner_table` the first column.
  int64_t key;
  /// The bits of the columns that an update has changed, in one of the words: see
  /// `strata_changes_add_columns`.
  uint64_t columns;
  /// The number of the table: see `strata_changes_table_name`.
  uint32_t table;
  /// SQLite's code: 9 for a deletion, 18 for an insertion, 23 for an update.
  uint16_t operation;
  /// The word of the bits. An update that has changed columns of several is noted for each.
  uint16_t word;
} strata_change;

/// What an update of a column sets: a bit of one of several words, as a table may have more columns
/// than a word has bits; no bit for a column that doesn't count.
typedef struct {
  uint64_t bit;
  uint16_t word;
} strata_column_bit;

/// Whether the SQLite of this process has the hook. Must be asked before all else.
bool strata_changes_are_available(void);

/// Notes of no rows yet, or NULL without memory.
strata_changes *strata_changes_create(void);

/// Frees the notes, which must not be installed any more.
void strata_changes_free(strata_changes *changes);

/// Says that the rows of a table are noted by their first column; false without memory.
bool strata_changes_add_owner_table(strata_changes *changes, const char *name);

/// Says which bit an update of each column of a table sets; false without memory.
bool strata_changes_add_columns(
  strata_changes *changes, const char *name, const strata_column_bit *bits, int count);

/// Says which words of bits the updates of the statement that runs next set, which are then not
/// found out by comparing rows; none when it has run.
void strata_changes_expect(strata_changes *changes, const uint64_t *words, size_t count);

/// Notes the rows that an `sqlite3 *` writes from now on, in the schema `main`. True if the hook of
/// the connection was this one before.
bool strata_changes_install(strata_changes *changes, void *connection);

/// Takes the hook of the connection away, whosever it is.
void strata_changes_remove(void *connection);

/// What was noted, in order, a row perhaps many times. Valid until the connection writes again.
const strata_change *strata_changes_noted(const strata_changes *changes, size_t *count);

/// The name of a table by its number.
const char *strata_changes_table_name(const strata_changes *changes, uint32_t table);

/// How many tables have a number.
uint32_t strata_changes_table_count(const strata_changes *changes);

/// Whether each row was noted; not when there was no memory for one.
bool strata_changes_are_complete(const strata_changes *changes);

/// Forgets what was noted.
void strata_changes_forget(strata_changes *changes);

/// Tells of each row that is deleted from a table, for as long as one statement takes.
typedef struct {
  /// The name of the table in the schema `main`.
  const char *table;
  void (*deleted)(void *context, int64_t row);
  void *context;
  /// What notes all changes on the connection, and goes on with it; NULL for nothing.
  strata_changes *beside;
} strata_deletions;

/// Takes the hook of the connection, of which nobody but `beside` may make use.
void strata_deletions_begin(strata_deletions *deletions, void *connection);

/// Gives the hook back to `beside`.
void strata_deletions_end(const strata_deletions *deletions, void *connection);

/// What is free of a place for texts.
typedef struct {
  char *next;
  size_t size;
} strata_text_place;

/// Keeps the texts that are bound on this thread in some memory from now on, instead of having
/// SQLite allocate memory for each. Returns the place that was in use before.
strata_text_place strata_texts_begin(void *start, size_t size);

/// Goes back to the place that was in use before.
void strata_texts_end(strata_text_place outer);

/// Copies a text into the place; NULL when there is none, or it is full.
const char *strata_texts_keep(const void *text, size_t size);

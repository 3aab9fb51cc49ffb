#include "CPerturb.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

// A file system for SQLite that lets time pass where processes meet: before locks of the WAL's
// index are asked for, between a checkpoint's look at the header of that index and its work, before
// syncs and writes. It changes nothing that SQLite does; it makes rare orders of events frequent.

static sqlite3_vfs *ordinary;
static sqlite3_vfs slow;
static const sqlite3_io_methods *ordinary_methods;
static sqlite3_io_methods slow_methods;
static pthread_once_t is_registered = PTHREAD_ONCE_INIT;
static perturb_delays delays;
static void (*checkpoint_began)(void);
static atomic_ullong threads;
static _Thread_local bool is_checkpointing;
static _Thread_local uint64_t random_state;

static uint64_t next_random(void) {
  if (!random_state) {
    uint64_t thread = atomic_fetch_add(&threads, 1) + 1;
    random_state = (delays.seed + 1) * 0x9E3779B97F4A7C15u ^ thread * 0xD1B54A32D192ED03u;
  }
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state >> 33;
}

/// Waits for up to so many microseconds, once in so many calls.
static void pass(unsigned microseconds, unsigned one_in) {
  if (microseconds && next_random() % one_in == 0) usleep(next_random() % microseconds + 1);
}

void perturb_pass(void) { pass(delays.microseconds, delays.one_in); }

static int map_shared(
  sqlite3_file *file, int region, int size, int extend, void volatile **address
) {
  perturb_pass();
  return ordinary_methods->xShmMap(file, region, size, extend, address);
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
  (void)vfs;
  perturb_pass();
  return ordinary->xDelete(ordinary, path, syncs_folder);
}

/// The second lock of the index is that of checkpoints.
static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  bool is_checkpoint = offset == 1 && count == 1 && flags & SQLITE_SHM_EXCLUSIVE;
  if (flags & SQLITE_SHM_LOCK) pass(delays.microseconds, is_checkpoint ? 1 : delays.one_in);
  int code = ordinary_methods->xShmLock(file, offset, count, flags);
  if (is_checkpoint && code == SQLITE_OK) is_checkpointing = flags & SQLITE_SHM_LOCK;
  return code;
}

/// Called with no page by a checkpoint that has found a new header.
static int unfetch(sqlite3_file *file, sqlite3_int64 offset, void *page) {
  int code = ordinary_methods->xUnfetch(file, offset, page);
  if (!page && is_checkpointing) {
    if (checkpoint_began) checkpoint_began();
    pass(4 * delays.microseconds, 1);
  }
  return code;
}

static int sync_file(sqlite3_file *file, int flags) {
  perturb_pass();
  return ordinary_methods->xSync(file, flags);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  pass(delays.microseconds, 4 * delays.one_in);
  return ordinary_methods->xWrite(file, bytes, count, offset);
}

static int open_file(
  sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags
) {
  (void)vfs;
  int code = ordinary->xOpen(ordinary, path, file, flags, out_flags);
  bool is_database = code == SQLITE_OK && flags & SQLITE_OPEN_MAIN_DB;
  if (!is_database || !file->pMethods || file->pMethods->iVersion < 3) return code;
  // Files of one file system have the same methods. There are no threads at the first one.
  if (!ordinary_methods) {
    ordinary_methods = file->pMethods;
    slow_methods = *ordinary_methods;
    slow_methods.xShmLock = lock_shared;
    slow_methods.xShmMap = map_shared;
    slow_methods.xUnfetch = unfetch;
    slow_methods.xSync = sync_file;
    slow_methods.xWrite = write_file;
  }
  if (file->pMethods == ordinary_methods) file->pMethods = &slow_methods;
  return code;
}

static void register_slow(void) {
  ordinary = sqlite3_vfs_find(NULL);
  slow = *ordinary;
  slow.zName = "slow";
  slow.xOpen = open_file;
  slow.xDelete = delete_file;
  slow.pNext = NULL;
  sqlite3_vfs_register(&slow, 1);
}

void perturb_files(perturb_delays new_delays) {
  delays = new_delays;
  pthread_once(&is_registered, register_slow);
}

void perturb_at_checkpoints(void (*began)(void)) {
  checkpoint_began = began;
  pthread_once(&is_registered, register_slow);
}

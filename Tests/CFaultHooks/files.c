#include "internal.h"

#include <stdio.h>
#include <string.h>

// A file system for SQLite that passes everything on to the ordinary one, unless it is to fail.

typedef struct {
  sqlite3_file base;
  const char *name;
  /// Where the ordinary file system keeps its file: behind this struct.
  sqlite3_file *real;
} faulty_file;

static sqlite3_vfs *real_vfs;

static sqlite3_file *real(sqlite3_file *file) { return ((faulty_file *)file)->real; }

/// The end of a file's path, such as `test.sqlite-wal`.
static const char *short_name(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path ? path : "a temporary file";
}

static int fault_in(fault_event event, const char *what, const char *name) {
  char detail[160];
  snprintf(detail, sizeof detail, "%s %s", what, name);
  return fault_at(event, detail, NULL, NULL);
}

static int fault(fault_event event, const char *what, sqlite3_file *file) {
  return fault_in(event, what, ((faulty_file *)file)->name);
}

// MARK: Files

static int close_file(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int code = fault(fault_read, "reading", file);
  return code ? code : real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

typedef struct {
  sqlite3_file *file;
  const void *bytes;
  int count;
  sqlite3_int64 offset;
} pending_write;

static void write_half(void *context) {
  pending_write *write = context;
  write->file->pMethods->xWrite(write->file, write->bytes, write->count / 2, write->offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  pending_write write = {real(file), bytes, count, offset};
  char detail[160];
  snprintf(
    detail, sizeof detail, "writing %d bytes at %lld of %s", count, (long long)offset,
    ((faulty_file *)file)->name);
  int code = fault_at(fault_write, detail, write_half, &write);
  return code ? code : real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  int code = fault(fault_truncate, "truncating", file);
  return code ? code : real(file)->pMethods->xTruncate(real(file), size);
}

static int sync_file(sqlite3_file *file, int flags) {
  int code = fault(fault_sync, "syncing", file);
  return code ? code : real(file)->pMethods->xSync(real(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int lock_file(sqlite3_file *file, int level) {
  int code = fault(fault_lock, "locking", file);
  return code ? code : real(file)->pMethods->xLock(real(file), level);
}

static int unlock_file(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int is_reserved(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int control_file(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int map_shared(
  sqlite3_file *file, int region, int size, int extend, void volatile **address
) {
  int code = fault(fault_shared_memory, "mapping the index of the log of", file);
  return code ? code : real(file)->pMethods->xShmMap(real(file), region, size, extend, address);
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  // Giving back a lock never fails.
  int code =
    flags & SQLITE_SHM_LOCK ? fault(fault_lock, "locking the index of the log of", file) : 0;
  return code ? code : real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void shared_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int unmap_shared(sqlite3_file *file, int delete) {
  return real(file)->pMethods->xShmUnmap(real(file), delete);
}

/// Version 2: without reading through mapped memory, where nothing could fail.
static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = close_file,
  .xRead = read_file,
  .xWrite = write_file,
  .xTruncate = truncate_file,
  .xSync = sync_file,
  .xFileSize = file_size,
  .xLock = lock_file,
  .xUnlock = unlock_file,
  .xCheckReservedLock = is_reserved,
  .xFileControl = control_file,
  .xSectorSize = sector_size,
  .xDeviceCharacteristics = characteristics,
  .xShmMap = map_shared,
  .xShmLock = lock_shared,
  .xShmBarrier = shared_barrier,
  .xShmUnmap = unmap_shared,
};

// MARK: The file system

static int open_file(
  sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags
) {
  faulty_file *faulty = (faulty_file *)file;
  faulty->base.pMethods = NULL;
  faulty->name = short_name(path);
  faulty->real = (sqlite3_file *)(faulty + 1);
  int code = fault_in(fault_open, "opening", faulty->name);
  if (!code) code = real_vfs->xOpen(real_vfs, path, faulty->real, flags, out_flags);
  if (!code) faulty->base.pMethods = &methods;
  return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
  int code = fault_in(fault_delete, "deleting", short_name(path));
  return code ? code : real_vfs->xDelete(real_vfs, path, syncs_folder);
}

void fault_register_files(void) {
  static sqlite3_vfs vfs;
  real_vfs = sqlite3_vfs_find(NULL);
  vfs = *real_vfs;
  vfs.zName = "faulty";
  vfs.szOsFile = (int)sizeof(faulty_file) + real_vfs->szOsFile;
  vfs.xOpen = open_file;
  vfs.xDelete = delete_file;
  sqlite3_vfs_register(&vfs, 1);
}

#if defined(__linux__) && __has_feature(thread_sanitizer)

#include "CFaultHooks.h"

#include <stdlib.h>

// The sanitizer itself takes the place of the same functions, to learn how threads wait.

void fault_record_disk(const char *folder, const char *recording) {
  (void)folder, (void)recording;
  abort();
}

void fault_mark_disk(const char *text) { (void)text; }

void fault_skip_syncs(void) {}

#elif defined(__linux__)

#define _GNU_SOURCE
#include "CFaultHooks.h"
#include "CPerturb.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Functions of the C library that change files, which SQLite, Foundation and the library call here
// instead of there. Each does the same by a call of the kernel; what it did below one folder goes
// into a recording, in the order in which it happened.

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int recording = -1;
/// Without a recording, calls of several threads go to the kernel beside each other.
static atomic_bool is_recording;
static char root[PATH_MAX];

enum { max_descriptors = 4096 };
/// The inodes of open files below the folder; 0 for others.
static ino_t inodes[max_descriptors];

/// The beginning of an entry. The paths and the bytes follow it.
typedef struct {
  uint32_t kind, path_length, other_length, count;
  uint64_t inode;
  int64_t offset;
} entry;

static void append(const void *bytes, size_t count) {
  while (count > 0) {
    long written = syscall(SYS_write, recording, bytes, count);
    if (written <= 0) abort();
    bytes = (const char *)bytes + written;
    count -= (size_t)written;
  }
}

static void record(
  fault_disk_event kind, ino_t inode, int64_t offset, const char *path, const char *other,
  const void *bytes, size_t count
) {
  entry head = {
    .kind = kind, .path_length = path ? (uint32_t)strlen(path) : 0,
    .other_length = other ? (uint32_t)strlen(other) : 0, .count = (uint32_t)count,
    .inode = inode, .offset = offset};
  append(&head, sizeof head);
  append(path, head.path_length);
  append(other, head.other_length);
  append(bytes, count);
}

// MARK: What is recorded

/// Begins a call. Returns the path below the folder, which is empty for the folder itself; NULL for
/// a path whose changes aren't recorded.
static const char *begin(int folder, const char *path, char *whole) {
  perturb_pass();
  pthread_mutex_lock(&lock);
  if (path[0] == '/' || folder == AT_FDCWD) {
    snprintf(whole, PATH_MAX, "%s", path);
  } else {
    char link[64], parent[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, parent, sizeof parent - 1);
    parent[length > 0 ? length : 0] = 0;
    if (snprintf(whole, PATH_MAX, "%s/%s", parent, path) >= PATH_MAX) abort();
  }
  size_t length = strlen(root);
  if (strncmp(whole, root, length) != 0) return NULL;
  if (whole[length] == 0) return "";
  return whole[length] == '/' ? whole + length + 1 : NULL;
}

static long end(long result) {
  int code = errno;
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}

static ino_t inode_of(int file) {
  return atomic_load(&is_recording) && file >= 0 && file < max_descriptors ? inodes[file] : 0;
}

static bool is_there(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0;
}

static ino_t inode_at(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 ? status.st_ino : 0;
}

// MARK: Opening and closing

static int open_at(int folder, const char *path, int flags, mode_t mode) {
  if (!atomic_load(&is_recording)) return (int)syscall(SYS_openat, folder, path, flags, mode);
  char whole[PATH_MAX];
  const char *name = begin(folder, path, whole);
  if (!name) return (int)end(syscall(SYS_openat, folder, path, flags, mode));
  if ((flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return (int)end(-1);
  }
  bool was_there = is_there(whole);
  int file = (int)syscall(SYS_openat, folder, path, flags, mode);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) return (int)end(file);
  if (file >= max_descriptors) abort();
  inodes[file] = status.st_ino;
  if (!was_there) record(fault_disk_create, status.st_ino, 0, name, NULL, NULL, 0);
  if (flags & O_TRUNC) record(fault_disk_truncate, status.st_ino, 0, NULL, NULL, NULL, 0);
  return (int)end(file);
}

#define MODE(flags, last) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, last); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

int open(const char *path, int flags, ...) {
  MODE(flags, flags)
  return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags, flags)
  return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MODE(flags, flags)
  return open_at(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  MODE(flags, flags)
  return open_at(folder, path, flags, mode);
}

int close(int file) {
  if (!inode_of(file)) return (int)syscall(SYS_close, file);
  pthread_mutex_lock(&lock);
  inodes[file] = 0;
  return (int)end(syscall(SYS_close, file));
}

// MARK: Contents

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  if (!inode_of(file)) return syscall(SYS_pwrite64, file, bytes, count, offset);
  pthread_mutex_lock(&lock);
  ssize_t written = syscall(SYS_pwrite64, file, bytes, count, offset);
  if (written > 0) {
    record(fault_disk_write, inode_of(file), offset, NULL, NULL, bytes, (size_t)written);
  }
  return end(written);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return pwrite64(file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
  // A pipe may keep a writer waiting.
  if (!inode_of(file)) return syscall(SYS_write, file, bytes, count);
  pthread_mutex_lock(&lock);
  ssize_t written = syscall(SYS_write, file, bytes, count);
  if (written > 0) {
    off_t offset = lseek(file, 0, SEEK_CUR) - written;
    record(fault_disk_write, inode_of(file), offset, NULL, NULL, bytes, (size_t)written);
  }
  return end(written);
}

ssize_t sendfile64(int target, int source, off64_t *offset, size_t count) {
  if (!inode_of(target)) return syscall(SYS_sendfile, target, source, offset, count);
  char bytes[1 << 16];
  if (count > sizeof bytes) count = sizeof bytes;
  ssize_t got = offset ? pread(source, bytes, count, *offset) : read(source, bytes, count);
  if (got <= 0) return got;
  ssize_t written = write(target, bytes, (size_t)got);
  if (offset && written > 0) *offset += written;
  return written;
}

ssize_t sendfile(int target, int source, off_t *offset, size_t count) {
  return sendfile64(target, source, offset, count);
}

/// Has a copy take the way by reading and writing.
int ioctl(int file, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (request == FICLONE && inode_of(file)) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return (int)syscall(SYS_ioctl, file, request, argument);
}

int ftruncate64(int file, off64_t size) {
  if (!inode_of(file)) return (int)syscall(SYS_ftruncate, file, size);
  pthread_mutex_lock(&lock);
  int code = (int)syscall(SYS_ftruncate, file, size);
  if (code == 0) record(fault_disk_truncate, inode_of(file), size, NULL, NULL, NULL, 0);
  return (int)end(code);
}

int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

static atomic_bool skips_syncs;

void fault_skip_syncs(void) { atomic_store(&skips_syncs, true); }

/// A recording needs no disk.
static int synchronize(long call, int file) {
  perturb_pass();
  if (atomic_load(&skips_syncs)) return 0;
  if (!inode_of(file)) return (int)syscall(call, file);
  pthread_mutex_lock(&lock);
  record(fault_disk_sync, inode_of(file), 0, NULL, NULL, NULL, 0);
  return (int)end(0);
}

int fsync(int file) { return synchronize(SYS_fsync, file); }

int fdatasync(int file) { return synchronize(SYS_fdatasync, file); }

// MARK: Names

static int rename_at(int old_folder, const char *old, int new_folder, const char *new) {
  if (!atomic_load(&is_recording)) {
    perturb_pass();
    return (int)syscall(SYS_renameat, old_folder, old, new_folder, new);
  }
  char old_path[PATH_MAX], new_path[PATH_MAX];
  const char *from = begin(old_folder, old, old_path);
  pthread_mutex_unlock(&lock);
  const char *to = begin(new_folder, new, new_path);
  ino_t inode = from ? inode_at(old_path) : 0;
  int code = (int)syscall(SYS_renameat, old_folder, old, new_folder, new);
  if (code == 0 && (from || to)) {
    record(fault_disk_rename, inode, 0, from ? from : "", to ? to : "", NULL, 0);
  }
  return (int)end(code);
}

int rename(const char *old, const char *new) { return rename_at(AT_FDCWD, old, AT_FDCWD, new); }

int renameat(int old_folder, const char *old, int new_folder, const char *new) {
  return rename_at(old_folder, old, new_folder, new);
}

int link(const char *old, const char *new) {
  if (!atomic_load(&is_recording)) {
    return (int)syscall(SYS_linkat, AT_FDCWD, old, AT_FDCWD, new, 0);
  }
  char path[PATH_MAX];
  const char *name = begin(AT_FDCWD, new, path);
  int code = (int)syscall(SYS_linkat, AT_FDCWD, old, AT_FDCWD, new, 0);
  if (code == 0 && name) record(fault_disk_link, inode_at(path), 0, name, NULL, NULL, 0);
  return (int)end(code);
}

static int unlink_at(int folder, const char *path, int flags) {
  if (!atomic_load(&is_recording)) {
    perturb_pass();
    return (int)syscall(SYS_unlinkat, folder, path, flags);
  }
  char whole[PATH_MAX];
  const char *name = begin(folder, path, whole);
  int code = (int)syscall(SYS_unlinkat, folder, path, flags);
  if (code == 0 && name) record(fault_disk_unlink, 0, 0, name, NULL, NULL, 0);
  return (int)end(code);
}

int unlink(const char *path) { return unlink_at(AT_FDCWD, path, 0); }

int unlinkat(int folder, const char *path, int flags) { return unlink_at(folder, path, flags); }

int rmdir(const char *path) { return unlink_at(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdir(const char *path, mode_t mode) {
  if (!atomic_load(&is_recording)) return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
  char whole[PATH_MAX];
  const char *name = begin(AT_FDCWD, path, whole);
  int code = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
  if (code == 0 && name) {
    record(fault_disk_folder, inode_at(whole), 0, name, NULL, NULL, 0);
  }
  return (int)end(code);
}

// MARK: Beginning and marks

/// Records a file that is there already, as if it were new.
static void record_file(const char *path, ino_t inode) {
  record(fault_disk_create, inode, 0, path + strlen(root) + 1, NULL, NULL, 0);
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, 0);
  char bytes[1 << 16];
  off_t offset = 0;
  for (ssize_t count; (count = pread(file, bytes, sizeof bytes, offset)) > 0; offset += count) {
    record(fault_disk_write, inode, offset, NULL, NULL, bytes, (size_t)count);
  }
  syscall(SYS_close, file);
  record(fault_disk_sync, inode, 0, NULL, NULL, NULL, 0);
}

static void record_folder(const char *path) {
  const char *name = strlen(path) > strlen(root) ? path + strlen(root) + 1 : "";
  record(fault_disk_folder, inode_at(path), 0, name, NULL, NULL, 0);
  DIR *folder = opendir(path);
  if (!folder) abort();
  for (struct dirent *item; (item = readdir(folder));) {
    if (!strcmp(item->d_name, ".") || !strcmp(item->d_name, "..")) continue;
    char below[PATH_MAX];
    if (snprintf(below, sizeof below, "%s/%s", path, item->d_name) >= PATH_MAX) abort();
    if (item->d_type == DT_DIR) {
      record_folder(below);
    } else {
      record_file(below, item->d_ino);
    }
  }
  closedir(folder);
  record(fault_disk_sync, inode_at(path), 0, NULL, NULL, NULL, 0);
}

void fault_record_disk(const char *folder, const char *path) {
  if (!realpath(folder, root)) abort();
  recording = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (recording < 0) abort();
  record_folder(root);
  atomic_store(&is_recording, true);
  fault_mark_disk("begins");
}

void fault_mark_disk(const char *text) {
  pthread_mutex_lock(&lock);
  if (recording >= 0) record(fault_disk_mark, 0, 0, text, NULL, NULL, 0);
  pthread_mutex_unlock(&lock);
}

#endif

// For `statx`.
#define _GNU_SOURCE

#include "CStrataRuntime.h"

#include <fcntl.h>
#include <sys/stat.h>

bool strata_file_birth(const char *path, int64_t *nanoseconds) {
#if defined(__APPLE__)
  struct stat status;
  if (stat(path, &status) != 0) return false;
  *nanoseconds =
    (int64_t)status.st_birthtimespec.tv_sec * 1000000000 + status.st_birthtimespec.tv_nsec;
  return true;
#elif defined(STATX_BTIME)
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_BTIME, &status) != 0) return false;
  if ((status.stx_mask & STATX_BTIME) == 0) return false;
  *nanoseconds = status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
  return true;
#else
  (void)path;
  (void)nanoseconds;
  return false;
#endif
}

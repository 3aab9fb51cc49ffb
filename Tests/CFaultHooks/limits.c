#include "CFaultHooks.h"

#include <signal.h>
#include <sys/resource.h>

void fault_limit_files(uint64_t bytes) {
  // Otherwise a write beyond the limit would be a signal, not an error.
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes < limit.rlim_max ? (rlim_t)bytes : limit.rlim_max;
  setrlimit(RLIMIT_FSIZE, &limit);
}

void fault_limit_open_files(uint64_t count) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = count < limit.rlim_max ? (rlim_t)count : limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

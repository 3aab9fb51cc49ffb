#include "CPerturb.h"

#ifdef __linux__

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_ullong state;

static unsigned next_random(void) {
  uint64_t value = atomic_fetch_add(&state, 0x9E3779B97F4A7C15u);
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
  value = (value ^ value >> 27) * 0x94D049BB133111EBu;
  return (unsigned)(value >> 33);
}

static void wait_for(long microseconds) {
  struct timespec time = {.tv_nsec = microseconds * 1000};
  nanosleep(&time, NULL);
}

/// Is called in a thread wherever that is.
static void stop(int signal) {
  (void)signal;
  int code = errno;
  wait_for(1 + next_random() % (next_random() % 16 == 0 ? 20000 : 1000));
  errno = code;
}

/// A thread's own number, or 0, of those that there are at the moment.
static pid_t any_thread(void) {
  DIR *threads = opendir("/proc/self/task");
  if (!threads) return 0;
  pid_t found = 0, own = (pid_t)syscall(SYS_gettid);
  unsigned count = 0;
  for (struct dirent *item; (item = readdir(threads));) {
    pid_t thread = (pid_t)atoi(item->d_name);
    if (thread > 0 && thread != own && next_random() % ++count == 0) found = thread;
  }
  closedir(threads);
  return found;
}

static void *stop_threads(void *unused) {
  (void)unused;
  for (;;) {
    // Longer than most stops, so that a process of one thread goes on, too.
    wait_for(next_random() % 5000);
    pid_t thread = any_thread();
    if (thread) syscall(SYS_tgkill, getpid(), thread, SIGPROF);
  }
  return NULL;
}

int perturb_threads(uint64_t seed) {
  atomic_store(&state, seed * 0xD1B54A32D192ED03u + 1);
  // Dispatch blocks all other signals in its threads.
  struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESTART};
  if (sigaction(SIGPROF, &action, NULL) != 0) return errno;
  pthread_t thread;
  int code = pthread_create(&thread, NULL, stop_threads, NULL);
  return code ? code : pthread_detach(thread);
}

__attribute__((constructor)) static void begin(void) {
  const char *seed = getenv("STRATA_PERTURB_SEED");
  if (seed && perturb_threads(strtoull(seed, NULL, 10)) != 0) abort();
}

#else

int perturb_threads(uint64_t seed) {
  (void)seed;
  return 0;
}

#endif

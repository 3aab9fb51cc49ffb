#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdlib.h>

#include "CStrataRuntime.h"

// SQLITE_CONFIG_MEMSTATUS, which never changes.
enum { CONFIG_MEMORY_STATISTICS = 9 };

// SQLite counts the bytes that it has, under one lock for all threads of the process, at each
// allocation. Apple builds it without that; elsewhere it has to be told.
//
// Before `main`: `sqlite3_config` may only be called before SQLite is used, and while no other
// thread uses it. Where SQLite is in use already, it changes nothing.
#if !defined(__APPLE__)
__attribute__((constructor)) static void leave_memory_uncounted(void) {
  if (getenv("STRATA_SQLITE_MEMORY_STATISTICS")) { return; }
  // By its name: the header of SQLite need not be there, and another SQLite may have been loaded.
  int (*config)(int, ...);
  *(void **)&config = dlsym(RTLD_DEFAULT, "sqlite3_config");
  if (config) { config(CONFIG_MEMORY_STATISTICS, 0); }
}
#endif

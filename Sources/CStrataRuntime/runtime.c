#if !defined(__APPLE__)
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <pthread.h>
#endif

#include <dlfcn.h>

#include "CStrataRuntime.h"

// Functions that the Swift runtime exports. `Mirror` is built on the first three. Swift code cannot
// declare them without claiming names reserved for the runtime; C code can.

#define SWIFTCC __attribute__((swiftcall))

typedef struct {
  const char *name;
  void (*free_name)(const char *);
  bool is_strong;
  bool is_var;
} field_metadata;

extern SWIFTCC intptr_t swift_reflectionMirror_recursiveCount(const void *type);
extern SWIFTCC const void *swift_reflectionMirror_recursiveChildMetadata(
  const void *type, intptr_t index, field_metadata *out);
extern SWIFTCC intptr_t swift_reflectionMirror_recursiveChildOffset(
  const void *type, intptr_t index);
extern SWIFTCC const void *swift_getTypeContextDescriptor(const void *metadata);

// `withUnsafeCurrentTask` and the description of a job are built on these functions. The address of
// a task is reused; its number is not.
extern SWIFTCC void *swift_task_getCurrent(void);
extern SWIFTCC uint64_t swift_task_getJobTaskId(void *job);

// Weak references of the language are built on this function.
extern void *swift_tryRetain(void *object);

intptr_t strata_field_count(const void *type) {
  return swift_reflectionMirror_recursiveCount(type);
}

strata_field strata_field_at(const void *type, intptr_t index) {
  field_metadata metadata = {0};
  const void *field_type =
    swift_reflectionMirror_recursiveChildMetadata(type, index, &metadata);
  strata_field field = {
    .name = metadata.name,
    .offset = swift_reflectionMirror_recursiveChildOffset(type, index),
    .type = field_type,
    .free_name = metadata.free_name,
  };
  return field;
}

const void *strata_type_context_descriptor(const void *metadata) {
  return swift_getTypeContextDescriptor(metadata);
}

typedef struct {
  const void *metadata;
  uintptr_t state;
} metadata_response;

typedef SWIFTCC metadata_response (*metadata_accessor)(uintptr_t request);

const void *strata_call_accessor(const void *function) {
  // Request 0 asks for complete metadata and waits for it.
  return ((metadata_accessor)function)(0).metadata;
}

static _Thread_local bool materialising;
static _Thread_local const void *initialised;

bool strata_is_materialising(void) { return materialising; }
void strata_set_materialising(bool value) { materialising = value; }
void strata_object_initialised(const void *object) {
  if (!materialising) return;
  materialising = false;
  initialised = object;
}
const void *strata_initialised_object(void) { return initialised; }

static _Thread_local bool trying;
static _Thread_local const void *missing;

bool strata_is_trying(void) { return trying; }
void strata_begin_trying(void) {
  trying = true;
  missing = NULL;
}
const void *strata_end_trying(void) {
  const void *result = missing;
  trying = false;
  missing = NULL;
  return result;
}
void strata_record_missing_value(const void *type) { missing = type; }

bool strata_try_retain(uintptr_t object) {
  return object != 0 && swift_tryRetain((void *)object) != NULL;
}

uint64_t strata_current_task(void) {
  void *task = swift_task_getCurrent();
  return task == NULL ? 0 : swift_task_getJobTaskId(task);
}

static _Thread_local int8_t main_thread = -1;

bool strata_is_main_thread(void) {
  if (main_thread < 0) {
#if defined(__APPLE__)
    main_thread = pthread_main_np() != 0;
#else
    main_thread = syscall(SYS_gettid) == getpid();
#endif
  }
  return main_thread > 0;
}

static _Thread_local uint64_t thread_number;
static uint64_t last_thread_number;

uint64_t strata_current_thread(void) {
  if (thread_number == 0) {
    thread_number = __atomic_add_fetch(&last_thread_number, 1, __ATOMIC_RELAXED);
  }
  return thread_number;
}

// SQLITE_CONFIG_MEMSTATUS, which never changes.
enum { CONFIG_MEMORY_STATISTICS = 9 };

int strata_count_sqlite_memory(bool counts) {
  // Finds the function by its name: the header of SQLite may be missing, and another SQLite may
  // have been loaded.
  int (*config)(int, ...);
  *(void **)&config = dlsym(RTLD_DEFAULT, "sqlite3_config");
  return config ? config(CONFIG_MEMORY_STATISTICS, counts ? 1 : 0) : 1;
}

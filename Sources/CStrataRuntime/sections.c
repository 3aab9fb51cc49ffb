#include "CStrataRuntime.h"

#if defined(__APPLE__)

#include <mach-o/dyld.h>
#include <mach-o/getsect.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(__LP64__)
typedef struct mach_header_64 image_header;
#else
typedef struct mach_header image_header;
#endif

typedef struct {
  const void *start;
  size_t length;
} type_section;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static type_section *known;
static size_t known_count, known_capacity;

// dyld calls this for the loaded images and for each one that is loaded later.
// The section is looked up here, not on reading: dyld never unloads an image that has Swift or
// Objective-C classes, while the header of another image may no longer exist.
static void image_added(const struct mach_header *header, intptr_t slide) {
  (void)slide;
  unsigned long length = 0;
  const void *start =
    getsectiondata((const image_header *)header, "__TEXT", "__swift5_types", &length);
  if (start == NULL || length == 0) return;
  pthread_mutex_lock(&lock);
  if (known_count == known_capacity) {
    size_t capacity = known_capacity == 0 ? 64 : known_capacity * 2;
    type_section *grown = realloc(known, capacity * sizeof(type_section));
    if (grown == NULL) abort();
    known = grown;
    known_capacity = capacity;
  }
  known[known_count++] = (type_section){start, length};
  pthread_mutex_unlock(&lock);
}

static void start_collecting(void) { _dyld_register_func_for_add_image(image_added); }

void strata_each_type_section(strata_section_visitor visit, void *context) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start_collecting);

  // Visit a copy: `visit` may need dyld's lock, and dyld holds that lock while it calls
  // `image_added`, which waits for ours.
  pthread_mutex_lock(&lock);
  size_t count = known_count;
  type_section *copy = malloc(count * sizeof(type_section) + 1);
  if (copy == NULL) abort();
  if (count > 0) memcpy(copy, known, count * sizeof(type_section));
  pthread_mutex_unlock(&lock);

  // A Mach-O section states no version: its layout is part of the platform's ABI.
  for (size_t i = 0; i < count; i++) visit(copy[i].start, copy[i].length, 1, context);
  free(copy);
}

#else

// The head of `struct MetadataSections` in the toolchain's <swift/shims/MetadataSections.h>,
// which says: "always add new fields to the end of the structure".

typedef struct {
  uintptr_t start;
  size_t length;
} section_range;

typedef struct {
  uintptr_t version;
  const void *base_address;
  void *unused0;
  void *unused1;
  section_range protocols;
  section_range protocol_conformances;
  section_range type_metadata;
} metadata_sections;

extern void swift_enumerateAllMetadataSections(
  bool (*body)(const void *sections, void *context), void *context);

typedef struct {
  strata_section_visitor visit;
  void *context;
} visit_request;

static bool visit_sections(const void *pointer, void *context) {
  const metadata_sections *sections = pointer;
  const visit_request *request = context;
  if (sections->version == 0) {
    request->visit(NULL, 0, 0, request->context);
  } else {
    section_range types = sections->type_metadata;
    request->visit((const void *)types.start, types.length, sections->version, request->context);
  }
  return true;
}

void strata_each_type_section(strata_section_visitor visit, void *context) {
  visit_request request = {visit, context};
  swift_enumerateAllMetadataSections(visit_sections, &request);
}

#endif

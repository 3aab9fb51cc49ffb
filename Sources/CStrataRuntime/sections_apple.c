#if defined(__APPLE__)

#include <mach-o/dyld.h>
#include <mach-o/getsect.h>
#include <pthread.h>

#include "CStrataRuntime.h"

#if defined(__LP64__)
typedef struct mach_header_64 image_header;
#else
typedef struct mach_header image_header;
#endif

// dyld calls this for the loaded images and for each one that is loaded later. The section is
// looked up here, not on reading: dyld never unloads an image with Swift or Objective-C classes,
// while the header of another image may no longer exist.
static void image_added(const struct mach_header *header, intptr_t slide) {
  (void)slide;
  unsigned long length = 0;
  const void *start =
    getsectiondata((const image_header *)header, "__TEXT", "__swift5_types", &length);
  if (start != NULL && length > 0) strata_known_sections_add(start, length);
}

static void start_collecting(void) { _dyld_register_func_for_add_image(image_added); }

void strata_each_type_section(strata_section_visitor visit, void *context) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start_collecting);
  strata_known_sections_visit(visit, context);
}

#endif

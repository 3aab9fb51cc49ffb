#include "CStrataRuntime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const void *start;
  size_t length;
} type_section;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static type_section *known;
static size_t known_count, known_capacity;

void strata_known_sections_add(const void *start, size_t length) {
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

void strata_known_sections_visit(strata_section_visitor visit, void *context) {
  // Visit a copy: `visit` may need the loader's lock, and the loader holds that lock while it
  // announces an image, which waits for our lock.
  pthread_mutex_lock(&lock);
  size_t count = known_count;
  type_section *copy = malloc(count * sizeof(type_section) + 1);
  if (copy == NULL) abort();
  if (count > 0) memcpy(copy, known, count * sizeof(type_section));
  pthread_mutex_unlock(&lock);

  // A Mach-O section has no version: its layout is part of the platform's ABI.
  for (size_t i = 0; i < count; i++) visit(copy[i].start, copy[i].length, 1, context);
  free(copy);
}

#include "CStrataRuntime.h"

#include <string.h>

// The memory for the texts of one statement, while its parameters are bound on this thread.
static _Thread_local char *next_text = NULL;
static _Thread_local size_t free_bytes = 0;

strata_text_place strata_texts_begin(void *start, size_t size) {
  strata_text_place outer = {next_text, free_bytes};
  next_text = start;
  free_bytes = size;
  return outer;
}

void strata_texts_end(strata_text_place outer) {
  next_text = outer.next;
  free_bytes = outer.size;
}

const char *strata_texts_keep(const void *text, size_t size) {
  if (size > free_bytes || next_text == NULL) return NULL;
  char *kept = next_text;
  memcpy(kept, text, size);
  next_text += size;
  free_bytes -= size;
  return kept;
}

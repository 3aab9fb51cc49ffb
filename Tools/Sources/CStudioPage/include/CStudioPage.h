#ifndef C_STUDIO_PAGE_H
#define C_STUDIO_PAGE_H

#include <stddef.h>

/// A file of the studio's page, as it is in the program.
struct strata_page_file {
  const char *name;
  const unsigned char *bytes;
  size_t count;
};

/// The file with an index; NULL behind the last one.
const struct strata_page_file *strata_page_file(size_t index);

#endif

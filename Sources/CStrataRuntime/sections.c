#if !defined(__APPLE__)

#include "CStrataRuntime.h"

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

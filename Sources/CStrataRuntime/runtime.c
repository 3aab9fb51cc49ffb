#include "CStrataRuntime.h"

// Functions that the Swift runtime exports. The first three are what `Mirror` is built on.
// Swift code cannot declare them without claiming names reserved for the runtime; C code can.

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
static _Thread_local int32_t recorded_slot = -1;

bool strata_is_materialising(void) { return materialising; }
void strata_set_materialising(bool value) { materialising = value; }
void strata_object_initialised(const void *object) {
  if (!materialising) return;
  materialising = false;
  initialised = object;
}
const void *strata_initialised_object(void) { return initialised; }
void strata_record_slot(int32_t slot) { recorded_slot = slot; }
int32_t strata_recorded_slot(void) { return recorded_slot; }

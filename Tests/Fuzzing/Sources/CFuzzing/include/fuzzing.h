#ifndef FUZZING_H
#define FUZZING_H

#include <stddef.h>
#include <stdint.h>

/// Calls a function with inputs that libFuzzer makes, until its arguments end it, or until the
/// function crashes.
int LLVMFuzzerRunDriver(
    int *count, char ***arguments, int (*callback)(const uint8_t *bytes, size_t count));

/// Returns what SQLite says against a statement, for some tables; NULL for a right statement.
/// The tables are made at the first call. Functions and collations with unknown names are taken for
/// the library's.
const char *fuzzing_problem(const char *tables, const char *statement);

#endif

#pragma once

#include <stdbool.h>
#include <stdint.h>

/// What SQLite does that a fault can be placed at. Values are bits of a set.
typedef enum {
  fault_statement = 1 << 0,
  fault_write = 1 << 1,
  fault_sync = 1 << 2,
  fault_truncate = 1 << 3,
  fault_delete = 1 << 4,
  fault_open = 1 << 5,
  fault_lock = 1 << 6,
  fault_shared_memory = 1 << 7,
  fault_read = 1 << 8,
} fault_event;

typedef struct {
  /// The set of events that are counted.
  uint32_t events;
  /// The number of the first event that fails, from 1 on. 0: none does, they are only counted.
  int64_t first;
  /// How many events in a row fail.
  int64_t length;
  /// What a failing event returns. 0: the process is killed instead.
  int result_code;
  /// Whether a write that fails writes the first half of its bytes.
  bool writes_half;
  /// The most pages that a database may have. 0: as many as it likes.
  int page_limit;
} fault_plan;

/// Makes the connections of this process meet a fault. Once, before the first one is opened.
void fault_install(fault_plan plan);

/// Ends the fault; the page limit for new connections only.
void fault_lift(void);

/// The number of events so far.
int64_t fault_count(void);

/// The most bytes that a file of this process may have, from now on. A write beyond is an error.
void fault_limit_files(uint64_t bytes);

/// The most files that this process may have open, from now on.
void fault_limit_open_files(uint64_t count);

/// What changes a disk. Each entry of a recording has one of them.
typedef enum {
  /// A new file at a path.
  fault_disk_create,
  /// A new folder at a path; the recorded one at the beginning, without a path.
  fault_disk_folder,
  fault_disk_write,
  fault_disk_truncate,
  /// A file or a folder is on the disk.
  fault_disk_sync,
  /// A path is empty where it isn't below the recorded folder.
  fault_disk_rename,
  fault_disk_link,
  fault_disk_unlink,
  /// What the program has promised to somebody.
  fault_disk_mark,
} fault_disk_event;

/// Records each change of files and names below a folder, from now on. Once; on Linux only.
void fault_record_disk(const char *folder, const char *recording);

/// Marks in the recording that the program has promised something.
void fault_mark_disk(const char *text);

/// Lets each call that waits for the disk return at once, from now on; on Linux only.
void fault_skip_syncs(void);

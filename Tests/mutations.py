#!/usr/bin/env python3
"""Plants faults, one at a time. A test must find each of them.

usage: mutations.py [--check] [NUMBER …]

All faults are compiled into one copy of the package, in `.build/mutations`, and the variable STRATA_FAULT_PLANTED of
the environment turns one of them on. Numbers select faults. `--check` makes the copy, and builds nothing.
"""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / ".build/mutations"
COPIED = ["Package.swift", "Sources", "Tests", "Fixtures"]
PROGRAM = COPY / ".build/debug/StrataPackageTests.xctest"
LIMIT = 300  # seconds for one run of tests
# A file of its own in each module, so that no changed file has a new import, which could change the meaning of a name.
SWITCH = """import Foundation
private let plantedFault = ProcessInfo.processInfo.environment["STRATA_FAULT_PLANTED"].flatMap { Int($0) }
func faultIsPlanted(_ number: Int) -> Bool { number == plantedFault }
"""


def contents():
    """Returns the copy with all faults, by path: the bytes of a file, or the target of a link."""
    listed = subprocess.run(["git", "ls-files", "-z", *COPIED], cwd=ROOT, check=True, capture_output=True, text=True)
    # The libraries have the same versions, unless the package was never built.
    paths = [ROOT / name for name in ["Package.resolved", *listed.stdout.split("\0")[:-1]]]
    result = {str(path.relative_to(ROOT)): os.readlink(path) if path.is_symlink() else path.read_bytes()
              for path in paths if path.is_symlink() or path.is_file()}
    for number, file, original, replacement, _ in FAULTS:
        name = f"Sources/{file}"
        text = result.get(name, b"").decode()
        if text.count(original) != 1 or "FAULT" not in replacement:
            sys.exit(f"Fault {number}: its text occurs {text.count(original)} times in {name}, or FAULT is missing.")
        replacement = re.sub(r"\bFAULT\b", f"faultIsPlanted({number})", replacement)
        result[name] = text.replace(original, replacement).encode()
        result[f"Sources/{file.split('/')[0]}/PlantedFault.swift"] = SWITCH.encode()
    return result


def write(wanted):
    """Writes what differs, and removes what is no longer there, so that builds stay incremental."""
    present = {str(path.relative_to(COPY)): path for top in COPIED for path in [COPY / top, *(COPY / top).rglob("*")]
               if path.is_symlink() or path.is_file()}
    for name in present.keys() - wanted.keys():
        present[name].unlink()
    for name, content in wanted.items():
        path = COPY / name
        if (os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None) == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(content) if isinstance(content, str) else path.write_bytes(content)


def run(tests, number=None):
    """Runs tests, without a fault or with one. Returns the exit status (None after the limit), and the output."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, tempfile.TemporaryFile() as output:
        os.chmod(folder, 0o755)  # Other users must be able to enter it.
        environment = {**os.environ, "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "4", "TMPDIR": folder,
                       "SWIFT_BACKTRACE": "enable=no", "STRATA_FAULT_PLANTED": str(number or 0)}
        process = subprocess.Popen(
            [PROGRAM, "--filter", tests, "--testing-library", "swift-testing"], cwd=COPY, env=environment,
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        status = None
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(LIMIT)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # The group has the programs that tests start.
            process.wait()
        output.seek(0)
        return status, output.read().decode(errors="replace")


def reason(status, output):
    """Returns the first test that failed, and how the program ended if the tests didn't end it."""
    failed = re.search(r"^\S+ Test (.+?) recorded an issue", output, re.MULTILINE)
    ending = f"longer than {LIMIT} s" if status is None else f"signal {-status}" if status < 0 else ""
    return ", ".join(filter(None, [failed and failed[1], ending])) or f"exit status {status}"


def main(arguments):
    numbers = [int(argument) for argument in arguments if argument != "--check"]
    chosen = [fault for fault in FAULTS if not numbers or fault[0] in numbers]
    write(contents())
    if "--check" in arguments:
        return print(f"{len(FAULTS)} faults are in {COPY}.")
    subprocess.run(["swift", "build", "--build-tests", "--package-path", COPY], check=True)
    for tests in dict.fromkeys(fault[4] for fault in chosen):
        status, output = run(tests)
        if status != 0 or not re.search(r"Test run with [1-9]\d* tests?\b", output):
            sys.exit(f"{output}\nWithout a fault, tests fail, or there are none: {tests}")
    found = 0
    for number, file, _, _, tests in chosen:
        start = time.monotonic()
        status, output = run(tests, number)
        is_found = status != 0 and (number < FIRST_ASSERTED or "Assertion failed" in output)
        found += is_found
        result = f"found      {reason(status, output)}" if is_found else f"NOT FOUND  {tests}"
        print(f"{number:2}  {file:<55} {time.monotonic() - start:6.1f} s  {result}", flush=True)
    print(f"{found} of {len(chosen)} found")
    sys.exit(not chosen or found < len(chosen))


# Number, file below Sources, a text that occurs there once, the text in its place, and the filter of the tests that must
# find the fault. FAULT stands for the condition that the fault is turned on.
FAULTS = [
    # A union counts members twice that both sets have.
    (1, "StrataStorage/Values/RowSet.swift",
     "count += added.nonzeroBitCount",
     "count += (FAULT ? other.words[from + offset] : added).nonzeroBitCount",
     r"^StrataStorageTests\.RowSetTests/"),
    # Sets of more than 63 properties intersect without a common property.
    (2, "StrataSchema/Model/PropertySet.swift",
     "contains { $0 & $1 != 0 }",
     "contains { (FAULT ? $0 | $1 : $0 & $1) != 0 }",
     r"^StrataSchemaTests\.PropertySetTests/"),
    # Changes of kind come before all others.
    (3, "StrataSchema/Diff/SchemaDiff.swift",
     "return changes + kinds",
     "return FAULT ? kinds + changes : changes + kinds",
     r"^StrataSchemaTests\.DiffOrderTests/"),
    # Primary keys are created before the tables have their values.
    (4, "StrataSchema/Operations/SchemaTranslator.swift",
     "operations: operations + primaryKeys,",
     "operations: FAULT ? primaryKeys + operations : operations + primaryKeys,",
     r"^StrataSchemaTests\.PrimaryKeyOperationsTests/"),
    # The error of duplicate primary keys is swallowed.
    (5, "StrataStorage/Operations/Checks/KeyChecks.swift",
     "throw RealmError(.fail, try message(), underlyingError: error)",
     "if !FAULT { throw RealmError(.fail, try message(), underlyingError: error) }",
     r"^CompatibilityTests\.DuplicateKeysTests/"),
    # The loss of a single value is no loss.
    (6, "StrataStorage/Operations/Checks/LossCheck.swift",
     "guard count > 0 else",
     "guard count > (FAULT ? 1 : 0) else",
     r"^StrataTests\.StageDeclarationTests/"),
    # A rebuilt table forgets the greatest identity.
    (7, "StrataSchema/SQL/RebuildSQL.swift",
     r"seq FROM sqlite_sequence WHERE name = \(old)",
     r"seq FROM sqlite_sequence WHERE name = \(FAULT ? new : old)",
     r"^StrataSchemaTests\.RebuildTableSQLTests/"),
    # Numbers with four decimals count as exact in SQL.
    (8, "StrataSchema/SQL/TableSQL.swift",
     "parts[1].utf8.count <= 3",
     "parts[1].utf8.count <= (FAULT ? 4 : 3)",
     r"^StrataSchemaTests\.(StoredValueSQLTests|DefaultSQLTests)/"),
    # The values of a renamed property are not followed.
    (9, "StrataSchema/Stages/Provenance.swift",
     "properties[rename.className]?[rename.new] = property",
     "properties[rename.className]?[FAULT ? rename.old : rename.new] = property",
     r"^StrataTests\.ForecastOrderTests/"),
    # The limits of readers and writers are exchanged.
    (10, "StrataStorage/File/VersionTable.swift",
     '["oldest_reader", "oldest_writer"].map',
     '(FAULT ? ["oldest_writer", "oldest_reader"] : ["oldest_reader", "oldest_writer"]).map',
     r"^StrataTests\.ChangedReleasesTests/"),
    # A dictionary may have a key twice.
    (11, "StrataSchema/Nested/NestedReader.swift",
     "guard keys.insert(StoredText(key)).inserted else",
     "guard keys.insert(StoredText(key)).inserted || FAULT else",
     r"^StrataSchemaTests\.NestedTextTests/"),
    # Dates get nine digits where they need more.
    (12, "StrataStorage/Values/DateText.swift",
     "seconds.magnitude >= exactFrom",
     "seconds.magnitude >= (FAULT ? exactFrom / 2 : exactFrom)",
     r"^StrataStorageTests\.DateTextTests/"),
    # A negated condition of nil is nil, and not true.
    (13, "StrataQuery/Compile/QueryCompiler.swift",
     r'"((\(leaf)) IS NOT TRUE)"',
     r'FAULT ? "(NOT (\(leaf)))" : "((\(leaf)) IS NOT TRUE)"',
     r"^CompatibilityTests\.ComparisonRulesTests/"),
    # AND and OR are joined from left to right.
    (14, "StrataQuery/Format/FormatParser.swift",
     "if token.isAnd {",
     """if token.isAnd {
        if FAULT, !group.disjunction.isEmpty {
          group.disjunction.append(Self.joined(group.conjunction, QueryPredicate.and))
          group.conjunction = [Self.joined(group.disjunction, QueryPredicate.or)]
          group.disjunction = []
        }""",
     r"^StrataQueryTests\.FormatParserTests/"),
    # In memory, nil is not less than or equal to nil.
    (15, "Strata/Querying/InMemory/ValueComparison.swift",
     "if left == .null, right == .null { return true }",
     "if left == .null, right == .null { return !FAULT }",
     r"^StrataTests\.(FormatMeaningTests|AnyValuesComparedTests)/"),
    # A modified element that moves in its section is only modified.
    (16, "StrataQuery/Changes/SectionDifference.swift",
     "if after.paths[newPosition].item == path.item {",
     "if FAULT || after.paths[newPosition].item == path.item {",
     r"^StrataQueryTests\.SectionDifferenceTests/"),
    # An insertion at a modified element doesn't move that element.
    (17, "StrataQuery/Changes/ChangeSet.swift",
     "insertions[inserted] <= position - deleted + inserted",
     "insertions[inserted] + (FAULT ? 1 : 0) <= position - deleted + inserted",
     r"^StrataQueryTests\.ChangeSetTests/"),
    # A gap has one position more than it has.
    (18, "Strata/Rows/Collections/LongLists.swift",
     "let missing = number - (after - before - 1)",
     "let missing = number - (after - before - (FAULT ? 0 : 1))",
     r"^StrataTests\.ListGapTests/"),
    # An embedded object gets two parents.
    (19, "Strata/Sessions/DraftReader.swift",
     "if object is EmbeddedObject { throw RealmError(.fail, ErrorText.embeddedTwice(name)) }",
     "if object is EmbeddedObject, !FAULT { throw RealmError(.fail, ErrorText.embeddedTwice(name)) }",
     r"^StrataTests\.EmbeddedTests/"),
    # With .modified, collections are replaced without a comparison.
    (20, "Strata/Sessions/DraftWriter.swift",
     "} else if isCompared {",
     "} else if isCompared, !FAULT {",
     r"^StrataTests\.UpdatesInPlaceTests/"),
    # A turn that is given up keeps the right to write from a waiting thread.
    (21, "StrataStorage/Writing/WriteQueueState.swift",
     "guard case .turns = owner, !isAnyWoken else { return [] }",
     "guard !FAULT, case .turns = owner, !isAnyWoken else { return [] }",
     r"^StrataStorageTests\.WriteQueueStateTests/"),
    # There is no pause for other processes after exactly the shortest time of writing.
    (22, "StrataStorage/Writing/OtherWriters.swift",
     "lastEnd - runBegan >= Self.minRun",
     "FAULT ? lastEnd - runBegan > Self.minRun : lastEnd - runBegan >= Self.minRun",
     r"^StrataStorageTests\.WritePausesTests/"),
    # A checkpoint runs without the write lock, so that another process may commit.
    (23, "StrataStorage/Writing/WriteConnection+TidyingUp.swift",
     "let isComplete = try checkpointer.checkpoint()",
     """if FAULT { try db.rollback() }
      let isComplete = try checkpointer.checkpoint()""",
     r"^FaultTests\.Faults/CheckpointTests/.No other program commits"),
    # The snapshot before a commit counts as the newest one after it.
    (24, "StrataStorage/Snapshots/SnapshotStore.swift",
     "newest.snapshot = nil",
     "if FAULT { newest.time = number } else { newest.snapshot = nil }",
     r"^StrataTests\.FreezingTests/.(All that is frozen|Inside of a transaction)"),
    # Transactions are deleted that a consumer of the history has yet to get.
    (25, "StrataStorage/History/HistoryPruner.swift",
     "return min(before ?? firstWanted, consumed ?? newest, newest)",
     "return min(before ?? firstWanted, FAULT ? newest : consumed ?? newest, newest)",
     r"^StrataTests\.HistoryPruningTests/"),
    # A token of another history is accepted if its position is there.
    (26, "StrataStorage/History/HistoryReader.swift",
     "guard row?.token.mark != token.mark else { return }",
     "guard FAULT ? row == nil : row?.token.mark != token.mark else { return }",
     r"^StrataTests\.HistoryTokenTests/"),
    # The name of the newest publication is promised before it is on the disk.
    (27, "StrataStorage/File/PlainFile.swift",
     "try synchronizeNames(in: folder)",
     "if !FAULT { try synchronizeNames(in: folder) }",
     r"^FaultTests\.Faults/PowerCutTests/.Readers find a whole publication"),
    # A running program goes on with a newer file in which names have changed.
    (28, "StrataStorage/File/ExpectedSchema.swift",
     "try shown.checkRunning(readOnly: isReadOnly, version, of: current.version, at: url)",
     "if !FAULT { try shown.checkRunning(readOnly: isReadOnly, version, of: current.version, at: url) }",
     r"^StrataTests\.ChangedReleasesTests/"),
    # A leaf may have any number of values.
    (29, "StrataRealmFile/Columns/Leaf.swift",
     "guard leaf.count == expected ?? leaf.count, leaf.count >= 0, leaf.count <= maxCount else {",
     "guard FAULT || (leaf.count == expected ?? leaf.count && leaf.count >= 0 && leaf.count <= maxCount) else {",
     r"^StrataRealmFileTests\.HostileFilesTests/"),
    # A file is converted in which an embedded object has two parents.
    (30, "StrataRealmImport/Rows/ValueConverter.swift",
     "if isEmbedded, !context.notes.adopt(target, identity) {",
     "if isEmbedded, !context.notes.adopt(target, identity), !FAULT {",
     r"^StrataRealmImportTests\.RefusedConversionsTests/"),
    # A change set lacks the last insertion between the elements that stay.
    (31, "StrataQuery/Changes/SequenceDifference.swift",
     "insertions += new..<newEnd",
     "insertions += new..<(FAULT ? max(new, newEnd - 1) : newEnd)",
     r"^StrataQueryTests\.SequenceDifferenceTests/"),
    # A row that comes to results is lost.
    (32, "StrataQuery/Changes/RowOrder.swift",
     "let rows = rows(with: present)",
     "let rows = rows(with: FAULT ? Array(present.dropLast()) : present)",
     r"^StrataQueryTests\.RowOrderTests/"),
    # An object counts as read at the next commit.
    (33, "Strata/Sessions/Reading/Session+Reading.swift",
     """let stamp = clock.now
    return try find(stored, in: table) {""",
     """let stamp = clock.now + (FAULT ? 1 : 0)
    return try find(stored, in: table) {""",
     r"^StrataTests\.LinkTests/"),
    # A snapshot has the number of the state before it.
    (34, "StrataStorage/Snapshots/SnapshotStore.swift",
     "Snapshot(number: number, readers, wal)",
     "Snapshot(number: number - (FAULT ? 1 : 0), readers, wal)",
     r"^ThreadTests\.ObservingTurnsTests/"),
    # The clock of an observing realm begins again with each of its snapshots.
    (35, "Strata/Sessions/View.swift",
     "time.set(snapshot.number)",
     "time.set(FAULT ? 0 : snapshot.number)",
     r"^ThreadTests\.ObservingCollectionsTests/"),
    # A link in a value leads to the object after the one that it means.
    (36, "Strata/Sessions/ObjectDraft.swift",
     "Int64 { .min + Int64(index) }",
     "Int64 { .min + Int64(index) + (FAULT ? 1 : 0) }",
     r"^StrataTests\.DraftsTests/"),
]
# From this number on, an assertion of the sources must find the fault: tests of a debug build run with all of them.
FIRST_ASSERTED = 31

if __name__ == "__main__":
    main(sys.argv[1:])

package import StrataStorage

/// The wishes of a user for an import: into which class, and how.
package struct ImportWish: Sendable {
  package var className: String
  /// Nil for what the first character of the file tells.
  package var format: ImportFormat?
  /// The properties of columns; nil for one that is left out. The others are found by their names.
  package var mapping: [String: String?] = [:]
  /// The field of CSV that is nil; empty for one without anything, not even quotation marks.
  package var nilText = ""
  /// The byte between two fields of CSV; nil for the one that fits the names of properties.
  package var separator: UInt8?
  /// Whether an object with the same primary key is changed, instead of being a mistake.
  package var updates = false
  /// Whether everything is done, and taken back at once.
  package var isDry = false
  /// Called when the input is open, before anything is written: opening a pipe waits for its
  /// writer.
  package var willBegin: @Sendable () -> Void = {}
  /// Ends the import, and takes it back.
  package var cancellation: Cancellation?

  package init(_ className: String, _ format: ImportFormat?) {
    self.className = className
    self.format = format
  }
}

/// A file that is imported into one class.
package struct ImportPart: Sendable {
  package let input: ImportInput
  package let className: String

  package init(_ input: ImportInput, into className: String) {
    self.input = input
    self.className = className
  }
}

/// The result of an import: how many objects there are, and what is wrong with the others.
package struct ImportReport: Sendable {
  package var format = ImportFormat.csv
  package var rows = 0
  /// Those that are imported, or would be.
  package var ready = 0
  /// The embedded objects in these, by class.
  package var embedded: [String: Int] = [:]
  /// The first of them.
  package var problems: [Problem] = []
  package var columns: [String] = []
  package var mapped: [String: String] = [:]

  package struct Problem: Sendable, Hashable {
    package let line: Int
    package let column: String?
    package let message: String
  }

  package var json: [JSONValue.Member] {
    [
      .init("rows", .int(rows)), .init("ready", .int(ready)),
      .init(
        "problems",
        .array(
          problems.map { problem in
            [
              "line": .int(problem.line), "column": .optional(problem.column) { .text($0) },
              "message": .text(problem.message),
            ]
          })),
      .init(
        "embedded",
        .object(embedded.sorted { $0.key < $1.key }.map { .init($0.key, .int($0.value)) })),
      .init("columns", .array(columns.map { .text($0) })),
      .init(
        "mapped",
        .object(
          mapped.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .text($0.value)) })),
    ]
  }
}

package import StrataStorage

/// The options of an import.
package struct ImportWish: Sendable {
  package var className: String
  /// The format; nil to detect it by the first character of the file.
  package var format: ObjectFormat?
  /// The properties by column name; nil to leave a column out. Other columns are matched by name.
  package var mapping: [String: String?] = [:]
  /// The CSV field that means nil; by default an empty field without quotation marks.
  package var nilText = ""
  /// The byte between CSV fields; nil for the separator that matches the most property names.
  package var separator: UInt8?
  /// Whether an object with an existing primary key is updated. Otherwise it is a problem.
  package var updates = false
  /// Whether the import is a dry run, which is rolled back.
  package var isDry = false
  /// Called after the input is open and before anything is written: opening a pipe waits for its
  /// writer.
  package var willBegin: @Sendable () -> Void = {}
  /// Cancels the import and rolls it back.
  package var cancellation: Cancellation?

  package init(_ className: String, _ format: ObjectFormat?) {
    self.className = className
    self.format = format
  }
}

/// A file to import into one class.
package struct ImportPart: Sendable {
  package let input: ImportInput
  package let className: String

  package init(_ input: ImportInput, into className: String) {
    self.input = input
    self.className = className
  }
}

/// The result of an import: the number of objects, and their problems.
package struct ImportReport: Sendable {
  package var format = ObjectFormat.csv
  package var rows = 0
  /// The number of objects that are imported, or would be.
  package var ready = 0
  /// The number of embedded objects in these, by class.
  package var embedded: [String: Int] = [:]
  /// The first problems.
  package var problems: [Problem] = []
  package var columns: [String] = []
  package var mapped: [String: String] = [:]

  package struct Problem: Sendable, Hashable {
    package let line: Int
    package let column: String?
    package let message: String
  }

  package var json: JSONValue {
    [
      "rows": .int(rows), "ready": .int(ready),
      "problems": .array(
        problems.map { problem in
          [
            "line": .int(problem.line), "column": .optional(problem.column) { .text($0) },
            "message": .text(problem.message),
          ]
        }),
      "embedded": .sorted(embedded) { .int($0) }, "columns": .texts(columns),
      "mapped": .sorted(mapped) { .text($0) },
    ]
  }
}

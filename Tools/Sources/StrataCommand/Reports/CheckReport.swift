import Strata
import StrataStorage
import StrataStudio

/// The report of `strata check`: the problems of a file.
struct CheckReport: Hashable {
  var path: String
  var problems: [FileProblem]

  var status: CommandStatus { problems.isEmpty ? .success : .found }

  /// The problems, their counts by kind, and the version of SQLite that checked the file.
  var lines: [String] { findings + ["SQLite \(SQLiteLibrary.current)"] }

  private var findings: [String] {
    guard !problems.isEmpty else { return ["\(PlainText.of(path)): no problems"] }
    let table = TextTable(
      columns: [.init("problems", .right), .init("kind")],
      rows: FileProblem.Kind.allCases.compactMap { kind in
        let count = problems.reduce(0) { $0 + ($1.kind == kind ? max(1, $1.rowCount) : 0) }
        return count == 0 ? nil : [Figures.count(count), kind.rawValue]
      })
    return problems.map { PlainText.of($0.description) } + [""] + table.lines + [""]
  }
}

extension JSONValue {
  init(_ report: CheckReport) {
    self = [
      "file": .text(report.path),
      "sqlite": JSONValue(SQLiteLibrary.current),
      "problems": .array(
        report.problems.map { problem in
          [
            "kind": .text(problem.kind.rawValue),
            "class": .optional(problem.className) { .text($0) },
            "property": .optional(problem.property) { .text($0) },
            "row": .optional(problem.row) { .int($0) },
            "rows": .int(Int64(problem.rowCount)),
            "message": .text(problem.message),
            "repair": .text(problem.repair),
          ]
        }),
    ]
  }
}

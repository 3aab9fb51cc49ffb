import StrataStudio

/// The report of `strata import`: how many rows of a file are fine, and what is wrong with others.
struct ImportSummary {
  var file: String
  var input: String
  var className: String
  var isDry: Bool
  var report: ImportReport

  var status: CommandStatus { report.ready == report.rows ? .success : .found }

  var lines: [String] {
    let count = "\(Figures.count(report.ready)) of \(Figures.count(report.rows, "row"))"
    let isOne = report.rows == 1
    var lines = [
      isDry
        ? "\(count) \(isOne ? "is" : "are") fine"
        : "\(PlainText.of(file)): \(count) \(isOne ? "was" : "were") imported into "
          + PlainText.of(className)
    ]
    if !report.embedded.isEmpty {
      let counts = report.embedded.sorted { $0.key < $1.key }
        .map { "\(Figures.count($0.value)) \(PlainText.of($0.key))" }
      lines.append(
        "embedded in \(report.ready == 1 ? "it" : "them"): \(counts.joined(separator: ", "))")
    }
    let left = report.columns.filter { report.mapped[$0] == nil }
    if !left.isEmpty {
      let names = left.map { "'\(PlainText.of($0))'" }.joined(separator: ", ")
      lines.append("\(left.count == 1 ? "column" : "columns") left out: \(names)")
    }
    return lines
      + report.problems.map { problem in
        let place = "\(report.format == .json ? "object" : "line") \(Figures.count(problem.line))"
        let column = problem.column.map { ", \(PlainText.of($0))" } ?? ""
        return "\(place)\(column): \(problem.message)"
      }
  }
}

extension JSONValue {
  init(_ summary: ImportSummary) {
    self = .object(
      [
        .init("file", .text(summary.file)), .init("input", .text(summary.input)),
        .init("class", .text(summary.className)), .init("dryRun", .bool(summary.isDry)),
      ] + summary.report.json)
  }
}

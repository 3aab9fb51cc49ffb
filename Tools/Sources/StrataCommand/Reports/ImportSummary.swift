import StrataStudio

/// The report of `strata import`: for each file, the number of valid rows and the problems of the
/// others.
struct ImportSummary {
  var file: String
  var isDry: Bool
  var inputs: [ImportFolder.Input]
  var isFolder: Bool
  /// The reports, one for each input.
  var reports: [ImportReport]

  var status: CommandStatus {
    reports.allSatisfy { $0.ready == $0.rows } ? .success : .found
  }

  var lines: [String] {
    zip(inputs, reports).flatMap { input, report in
      lines(report, of: isFolder ? input.path : file, into: input.className)
    }
  }

  private func lines(
    _ report: ImportReport, of name: String, into className: String
  ) -> [String] {
    let count = "\(Figures.count(report.ready)) of \(Figures.count(report.rows, "row"))"
    let isOne = report.rows == 1
    let start = isDry && !isFolder ? "" : "\(PlainText.of(name)): "
    var lines = [
      isDry
        ? "\(start)\(count) \(isOne ? "is" : "are") fine"
        : "\(start)\(count) \(isOne ? "was" : "were") imported into \(PlainText.of(className))"
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
    let parts = zip(summary.inputs, summary.reports).map { input, report in
      JSONValue.joined(
        ["input": .text(input.path), "class": .text(input.className)], report.json)
    }
    self = .joined(
      ["file": .text(summary.file), "dryRun": .bool(summary.isDry)],
      summary.isFolder ? ["imports": .array(parts)] : parts.first ?? [:])
  }
}

import Strata
import StrataStudio

/// The report of `strata convert`: what it did, or would do.
struct ConvertReport: Hashable {
  /// The outcome of a conversion.
  enum Outcome: Hashable {
    case converted(Duration)
    case forecast(obstacles: ConversionFindings)
  }

  /// The paths as the user wrote them.
  var source: String
  var target: String
  var fileFormat: Int
  var schemaVersion: UInt64
  var classes: [ConversionReport.Class]
  /// The values that were changed, or would be.
  var findings: ConversionFindings
  var outcome: Outcome
  /// Whether the source is encrypted and the target isn't.
  var losesEncryption = false

  /// A forecast with obstacles has the status `found`.
  var status: CommandStatus {
    if case .forecast(let obstacles) = outcome, !obstacles.isEmpty { return .found }
    return .success
  }
}

extension ConvertReport {
  init(source: String, target: String, _ report: ConversionReport) {
    self.init(
      source: source, target: target, fileFormat: report.fileFormat,
      schemaVersion: report.schemaVersion, classes: report.classes, findings: report.findings,
      outcome: .converted(report.duration))
  }

  init(source: String, target: String, _ forecast: ConversionForecast) {
    self.init(
      source: source, target: target, fileFormat: forecast.fileFormat,
      schemaVersion: forecast.schemaVersion ?? 0, classes: forecast.classes,
      findings: forecast.findings, outcome: .forecast(obstacles: forecast.obstacles))
  }

  var lines: [String] {
    let warning = "The new file is not encrypted. Use '--new-key-file' to encrypt it."
    return outcomeLines + (losesEncryption ? ["", warning] : [])
  }

  private var outcomeLines: [String] {
    let source = "\(PlainText.of(source)) (format \(fileFormat))"
    let target = PlainText.of(target)
    switch outcome {
    case .converted(let duration):
      return [
        "Converted \(source) to \(target) at schema version \(schemaVersion), in "
          + Figures.duration(duration)
      ] + classLines { $0.written } + changes("Changed, as the options say:")
    case .forecast(let obstacles) where obstacles.isEmpty:
      return [
        "\(source) can be converted to \(target) at schema version \(schemaVersion). Nothing was written."
      ] + classLines { $0.read } + changes("To be changed, as the options say:")
    case .forecast(let obstacles):
      return ["\(source) can't be converted as it is. Nothing was written."]
        + classLines { $0.read } + changes("To be changed, as the options say:")
        + ["", "A file of Strata can't store:"] + FindingLines.lines(obstacles, repairs: true)
    }
  }

  private func changes(_ title: String) -> [String] {
    findings.isEmpty ? [] : ["", title] + FindingLines.lines(findings, repairs: false)
  }

  private func classLines(
    _ counts: (ConversionReport.Class) -> ConversionReport.Counts
  ) -> [String] {
    guard !classes.isEmpty else { return ["", "The file has no classes."] }
    let cells = classes.map { item in
      let counts = counts(item)
      let leftOut = item.leftOut.objects + item.leftOut.links + item.leftOut.elements
      return [counts.objects, counts.links, counts.elements, leftOut]
    }
    let sums = (0..<4).map { column in cells.reduce(0) { $0 + $1[column] } }
    func row(_ name: String, _ numbers: [Int]) -> [String] {
      [name] + numbers.prefix(3).map { Figures.count($0) }
        + [sums[3] == 0 ? "" : Figures.count(numbers[3])]
    }
    var rows = zip(classes, cells).map { row($0.name, $1) }
    if classes.count > 1 { rows.append(row("all classes", sums)) }
    let table = TextTable(
      columns: [
        .init("class"), .init("objects", .right), .init("links", .right),
        .init("elements", .right), .init("left out", .right),
      ], rows: rows)
    return [""] + table.lines
  }
}

extension JSONValue {
  init(_ report: ConvertReport) {
    let outcome: JSONValue =
      switch report.outcome {
      case .converted(let duration):
        ["converted": true, "seconds": .number(Figures.seconds(duration))]
      case .forecast: ["converted": false, "seconds": .null]
      }
    var obstacles = JSONValue.array([])
    if case .forecast(let found) = report.outcome { obstacles = JSONValue(found) }
    self = .joined(
      [
        "file": .text(report.source), "target": .text(report.target),
        "fileFormat": .int(report.fileFormat), "schemaVersion": .unsigned(report.schemaVersion),
      ], outcome,
      [
        "classes": .array(report.classes.map { JSONValue($0) }),
        "changed": JSONValue(report.findings), "obstacles": obstacles,
      ])
  }

  private init(_ item: ConversionReport.Class) {
    self = [
      "name": .text(item.name),
      "read": JSONValue(item.read),
      "leftOut": JSONValue(item.leftOut),
      "written": JSONValue(item.written),
    ]
  }

  private init(_ counts: ConversionReport.Counts) {
    self = [
      "objects": .int(counts.objects), "links": .int(counts.links),
      "elements": .int(counts.elements),
    ]
  }
}

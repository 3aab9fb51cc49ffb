import StrataStorage

extension ConversionReport: CustomStringConvertible {
  /// A table of the classes, with what was changed.
  public var description: String {
    var headline =
      "'\(source)' (format \(fileFormat)) became '\(path)' at schema version \(schemaVersion), in "
      + "\(duration.milliseconds) ms:"
    if classes.isEmpty { headline = String(headline.dropLast()) + ". It has no classes." }
    let table = ConversionTable(classes) { $0.written }
    let changes =
      findings.isEmpty ? [] : ["Changed, as the choices say:", findings.description]
    return ([headline] + table.lines + changes).joined(separator: "\n")
  }
}

extension ConversionForecast: CustomStringConvertible {
  /// A table of the classes, with what can't be held.
  public var description: String {
    let version = schemaVersion.map { "schema version \($0)" } ?? "without a schema version"
    let end = isPossible ? "can be converted" : "can't be converted as it is"
    let table = ConversionTable(classes) { $0.read }
    var lines = ["'\(source)' (format \(fileFormat), \(version)) \(end):"] + table.lines
    if classes.isEmpty { lines = [String(lines[0].dropLast()) + ". It has no classes."] }
    if !findings.isEmpty { lines += ["Changed, as the choices say:", findings.description] }
    if !obstacles.isEmpty { lines += ["Can't be held:", obstacles.withRepairs] }
    return lines.joined(separator: "\n")
  }
}

/// The counts of classes, in columns.
private struct ConversionTable {
  let lines: [String]

  init(
    _ classes: [ConversionReport.Class],
    _ counts: (ConversionReport.Class) -> ConversionReport.Counts
  ) {
    guard !classes.isEmpty else {
      lines = []
      return
    }
    let hasOmissions = classes.contains { $0.leftOut != ConversionReport.Counts() }
    func row(
      _ name: String, _ counts: ConversionReport.Counts, _ leftOut: ConversionReport.Counts
    ) -> [String] {
      let numbers = [counts.objects, counts.links, counts.elements]
      let omitted = leftOut.objects + leftOut.links + leftOut.elements
      return [name] + (numbers + (hasOmissions ? [omitted] : [])).map(\.grouped)
    }
    var rows = [["class", "objects", "links", "elements"] + (hasOmissions ? ["left out"] : [])]
    rows += classes.map { row($0.name, counts($0), $0.leftOut) }
    if classes.count > 1 {
      rows.append(
        row(
          "all", classes.reduce(.init()) { $0 + counts($1) },
          classes.reduce(.init()) { $0 + $1.leftOut }))
    }
    lines = AlignedColumns.lines(rows).map { "  " + $0 }
  }
}

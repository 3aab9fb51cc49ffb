import StrataStudio

/// The report of a twin.
struct TwinReport: Hashable {
  var file: String
  var twin: String
  var contents: TwinFile.Contents
  /// The number that the user gave; nil for a secret at random.
  var seed: UInt64?
  /// Whether the original was encrypted, and the twin is.
  var wasEncrypted = false
  var isEncrypted = false
  /// The size of the twin in bytes.
  var size: Int

  var lines: [String] {
    let objects = Figures.count(contents.objects, "object")
    let classes = Figures.count(contents.classes, "class", "classes")
    let values = Figures.count(contents.changedValues, "value")
    var lines = [
      "Wrote a twin of \(PlainText.of(file)) to \(PlainText.of(twin)): version \(contents.version), "
        + "\(objects) of \(classes), \(values) replaced, \(Figures.bytes(size))"
    ]
    if let seed {
      lines.append("seed \(seed): whoever knows it can compute values of the original")
    }
    if wasEncrypted, !isEncrypted { lines.append("The twin is not encrypted.") }
    if !contents.emptyTables.isEmpty {
      lines.append("tables of other programs, now empty: \(Self.list(contents.emptyTables))")
    }
    if !contents.leftOut.isEmpty {
      lines.append("left out: \(Self.list(contents.leftOut))")
    }
    return lines
  }

  private static func list(_ names: [String]) -> String {
    names.map(PlainText.of).joined(separator: ", ")
  }
}

extension JSONValue {
  init(_ report: TwinReport) {
    self = [
      "file": .text(report.file),
      "twin": .text(report.twin),
      "schemaVersion": .unsigned(report.contents.version),
      "classes": .int(report.contents.classes),
      "objects": .int(report.contents.objects),
      "replacedValues": .int(report.contents.changedValues),
      "emptyTables": .texts(report.contents.emptyTables),
      "leftOut": .texts(report.contents.leftOut),
      "seed": .optional(report.seed) { .unsigned($0) },
      "encrypted": .bool(report.isEncrypted),
      "bytes": .int(report.size),
    ]
  }
}

/// What a backup or a restoring did.
struct CopyReport: Hashable {
  var file: String
  var backup: String
  var version: UInt64
  /// Of the copy, in bytes.
  var size: Int
  /// `Copied` or `Restored`.
  var verb: String

  var line: String {
    let (from, to) = verb == "Copied" ? (file, backup) : (backup, file)
    return
      "\(verb) \(PlainText.of(from)) to \(PlainText.of(to)): version \(version), \(Figures.bytes(size))"
  }
}

extension JSONValue {
  init(_ report: CopyReport) {
    self = .members([
      "file": .text(report.file),
      "backup": .text(report.backup),
      "schemaVersion": .unsigned(report.version),
      "bytes": .int(report.size),
    ])
  }
}

import StrataStudio

/// The report of a backup or a restore.
struct CopyReport: Hashable {
  enum Direction: Hashable {
    case backup, restore
  }

  var direction: Direction
  var file: String
  var backup: String
  var version: UInt64
  /// The size of the copy in bytes.
  var size: Int

  var line: String {
    let (file, backup) = (PlainText.of(file), PlainText.of(backup))
    let what =
      switch direction {
      case .backup: "Copied \(file) to \(backup)"
      case .restore: "Restored \(backup) to \(file)"
      }
    return "\(what): version \(version), \(Figures.bytes(size))"
  }
}

extension JSONValue {
  init(_ report: CopyReport) {
    self = [
      "file": .text(report.file),
      "backup": .text(report.backup),
      "schemaVersion": .unsigned(report.version),
      "bytes": .int(report.size),
    ]
  }
}

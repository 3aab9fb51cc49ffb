import StrataStudio

/// The report of a publication.
struct PublishReport: Hashable {
  var file: String
  var folder: String
  /// The name of the publication.
  var name: String
  /// The schema version.
  var version: UInt64
  /// The size of the publication in bytes.
  var size: Int

  var line: String {
    "Published \(PlainText.of(file)) to \(PlainText.of(folder)): version \(version), "
      + Figures.bytes(size)
  }
}

extension JSONValue {
  init(_ report: PublishReport) {
    self = [
      "file": .text(report.file),
      "folder": .text(report.folder),
      "version": .text(report.name),
      "schemaVersion": .unsigned(report.version),
      "bytes": .int(report.size),
    ]
  }
}

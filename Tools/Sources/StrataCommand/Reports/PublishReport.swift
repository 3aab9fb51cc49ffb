import StrataStudio

/// The report of a publication of a file.
struct PublishReport: Hashable {
  var file: String
  var folder: String
  /// That of the publication.
  var name: String
  /// The schema version.
  var version: UInt64
  /// In bytes.
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

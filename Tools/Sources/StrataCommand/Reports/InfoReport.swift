import Strata
import StrataRealmFile
import StrataStorage
import StrataStudio

/// The report of `strata info`: the contents of a file.
struct InfoReport {
  /// The details that exist only for one kind of file.
  enum Details {
    case strata(RealmInspection)
    case realm(format: Int, isSynchronised: Bool)
  }

  var document: SchemaDocument
  /// The size of the file in bytes.
  var size: Int
  var isEncrypted: Bool
  /// The number of objects by class; nil if they were not counted.
  var objectCounts: [String: Int]?
  var details: Details

  init(path: String, _ inspection: RealmInspection, isCounted: Bool, isEncrypted: Bool) {
    document = SchemaDocument(
      path: path, version: inspection.schemaVersion, schema: inspection.schema)
    size = inspection.fileSize
    self.isEncrypted = isEncrypted
    objectCounts = isCounted ? inspection.objectCounts : nil
    details = .strata(inspection)
  }

  init(path: String, _ file: RealmFile, size: Int, isEncrypted: Bool) {
    document = SchemaDocument(path: path, file)
    self.size = size
    self.isEncrypted = isEncrypted
    objectCounts = Dictionary(file.classes.map { ($0.name, $0.count) }) { first, _ in first }
    details = .realm(format: file.fileFormat, isSynchronised: file.isSynchronised)
  }
}

extension InfoReport {
  var lines: [String] {
    FactList.lines([("file", document.path)] + facts) + [""] + classLines
  }

  private var facts: [(name: String, text: String?)] {
    let version = document.version.map { "\($0)" }
    switch details {
    case .strata(let details):
      let log = details.logSize > 0 ? "\(Figures.bytes(details.logSize))" : nil
      let unused = details.unusedSize > 0 ? Figures.bytes(details.unusedSize) : nil
      let others = details.otherTables.isEmpty ? nil : details.otherTables.joined(separator: ", ")
      return [
        ("kind", "Strata, a database of SQLite"),
        ("schema version", version),
        ("since", details.history.last.map { Figures.time($0.migratedAt) }),
        ("written by", details.history.last?.libraryVersion.map { "Strata \($0)" }),
        ("size", Figures.bytes(size)), ("in its WAL", log), ("unused", unused),
        encryption, ("other tables", others), ("SQLite", "\(SQLiteLibrary.current)"),
      ]
    case .realm(let format, let isSynchronised):
      return [
        ("kind", "Realm, file format \(format)"),
        ("schema version", version ?? "none"),
        ("size", Figures.bytes(size)),
        encryption,
        ("synchronised", isSynchronised ? "yes, with a server" : nil),
      ]
    }
  }

  private var encryption: (name: String, text: String?) {
    ("encrypted", isEncrypted ? "yes" : nil)
  }

  private var classLines: [String] {
    let classes = document.schema.objectSchema
    guard !classes.isEmpty else { return ["The file has no classes."] }
    var columns: [TextTable.Column] = [
      .init("class"), .init("kind"), .init("primary key"), .init("properties", .right),
    ]
    if objectCounts != nil { columns.append(.init("objects", .right)) }
    let rows = classes.map { object in
      let cells = [
        object.className, document.kind(of: object), object.primaryKey ?? "",
        Figures.count(object.properties.count),
      ]
      guard let counts = objectCounts else { return cells }
      return cells + [counts[object.className].map { Figures.count($0) } ?? "?"]
    }
    return TextTable(columns: columns, rows: rows).lines
  }
}

extension JSONValue {
  init(_ report: InfoReport) {
    let (kind, details): (JSONValue, JSONValue) =
      switch report.details {
      case .strata(let details):
        (
          "strata",
          [
            "logBytes": .int(details.logSize), "unusedBytes": .int(details.unusedSize),
            "since": .optional(details.history.last) { .text(Figures.iso($0.migratedAt)) },
            "library": .optional(details.history.last?.libraryVersion) { .text($0) },
            "otherTables": .texts(details.otherTables),
            "sqlite": JSONValue(SQLiteLibrary.current),
          ]
        )
      case .realm(let format, let isSynchronised):
        (
          "realm",
          ["fileFormat": .int(format), "synchronised": .bool(isSynchronised)]
        )
      }
    self = .joined(
      [
        "file": .text(report.document.path), "kind": kind,
        "schemaVersion": .optional(report.document.version) { .unsigned($0) },
        "bytes": .int(report.size), "encrypted": .bool(report.isEncrypted),
      ], details,
      ["classes": .array(report.document.schema.objectSchema.map(report.classValue))])
  }
}

extension JSONValue {
  /// The SQLite library that has read a file.
  init(_ library: SQLiteLibrary) {
    self = ["version": .text(library.version), "walResetFix": .bool(library.hasWALResetFix)]
  }
}

extension InfoReport {
  fileprivate func classValue(_ object: ObjectSchema) -> JSONValue {
    [
      "name": .text(object.className),
      "kind": .text(document.kind(of: object)),
      "primaryKey": .optional(object.primaryKeyProperty?.name) { .text($0) },
      "properties": .int(object.properties.count),
      "objects": .optional(objectCounts?[object.className]) { .int($0) },
    ]
  }
}

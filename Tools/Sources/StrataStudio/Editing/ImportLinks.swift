import GRDB
import Strata
import StrataSchema
import StrataStorage

/// The targets of links in an import: objects in the file, and objects of the input. The latter may
/// come later, and may have another identity in the file they were exported from.
final class ImportLinks {
  /// The result of a search for a target.
  enum Found: Equatable {
    case row(Int64)
    /// The object may still come.
    case later
    case missing
  }

  /// A class without a primary key that receives objects.
  private struct Growing {
    /// Whether the objects have identities in the input; nil while unknown.
    var hasIdentities: Bool?
    var identities = ImportedIdentities()
    /// The highest identity that was in use before the import.
    let before: Int64
    /// The highest identity that was ever used.
    var last: Int64
  }

  private let schema: StudioSchema
  private let realm: Realm
  /// The classes that receive objects.
  private let classes: Set<String>
  private var growing: [String: Growing] = [:]
  /// Whether the whole input was read.
  var isComplete = false
  /// The objects that are skipped because of a problem.
  var leftOut: Set<ImportTarget> = []
  /// The skipped objects that were created already.
  var gone: Set<ObjectLink> = []

  init(_ schema: StudioSchema, _ realm: Realm, into classes: Set<String>) throws {
    self.schema = schema
    self.realm = realm
    self.classes = classes
    for className in classes where schema.schema[className]?.primaryKeyProperty == nil {
      let last = try realm.reading { db in
        try db.integer("SELECT seq FROM sqlite_sequence WHERE name = ?", [.text(className)]) ?? 0
      }
      growing[className] = Growing(before: last, last: last)
    }
  }

  // MARK: Identities

  /// Records whether the objects of a class without a primary key have identities in the input.
  func recordIdentities(of className: String, _ haveSome: Bool) {
    if growing[className]?.hasIdentities != true { growing[className]?.hasIdentities = haveSome }
  }

  /// Whether the input has had an object with this identity.
  func hasCome(_ className: String, _ old: Int64) -> Bool {
    growing[className]?.identities[old] != nil
  }

  /// Reserves an original identity for the next object of a class, if it was never used in this
  /// file.
  func keepIdentity(_ className: String, _ old: Int64) throws {
    guard let class_ = growing[className], old > class_.last + 1 else { return }
    let name = StoredValue.text(className)
    try realm.withDatabase { db in
      for sql in [
        "UPDATE sqlite_sequence SET seq = ?1 WHERE name = ?2",
        """
        INSERT INTO sqlite_sequence (seq, name) SELECT ?1, ?2 \
        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?2)
        """,
      ] { try db.forEachRow(sql, [.integer(old - 1), name]) { _ in } }
    }
  }

  /// Records a created object with its original identity.
  func recordCreated(_ link: ObjectLink, was old: Int64?) {
    growing[link.className]?.last = link.identity
    if let old { growing[link.className]?.identities.record(old, is: link.identity) }
  }

  // MARK: Finding

  /// Searches for the target of a link.
  func find(_ target: ImportTarget) throws -> Found {
    let found = try present(target)
    guard case .row(let row) = found else { return found }
    let className =
      switch target {
      case .key(let name, _), .identity(let name, _): name
      }
    return gone.contains(ObjectLink(className: className, identity: row)) ? .missing : found
  }

  private func present(_ target: ImportTarget) throws -> Found {
    let absent = isComplete || leftOut.contains(target) ? Found.missing : .later
    switch target {
    case .key(let className, let key):
      guard let table = schema.schema[className] else { return .missing }
      let row = try realm.reading { db in try Self.row(key, table, db) }
      return row.map { .row($0) } ?? (classes.contains(className) ? absent : .missing)
    case .identity(let className, let identity):
      guard let class_ = growing[className] else {
        return try exists(className, identity) ? .row(identity) : .missing
      }
      switch class_.hasIdentities {
      case true?: return class_.identities[identity].map { .row($0) } ?? absent
      case nil where !isComplete: return .later
      // The identities of imported objects can't be known in the input.
      case false?, nil:
        return try identity <= class_.before && exists(className, identity)
          ? .row(identity) : .missing
      }
    }
  }

  private func exists(_ className: String, _ identity: Int64) throws -> Bool {
    guard let table = schema.schema[className] else { return false }
    return try realm.reading { db in try db.hasObject(identity, in: table) }
  }

  /// The identity of the object with a primary key.
  static func row(_ key: StoredValue, _ table: ObjectSchema, _ db: Database) throws -> Int64? {
    guard let column = table.primaryKeyProperty?.columnName else { return nil }
    return try db.kept(
      """
      SELECT \(SQLName.quote(table.identityColumn)) FROM \(SQLName.quote(table.className)) \
      WHERE \(SQLName.quote(column)) IS ?
      """, [key])
  }
}

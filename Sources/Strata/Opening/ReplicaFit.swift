import StrataSchema
import StrataStorage

/// The comparison of a new version of a replica with the classes of a store that shows an older
/// one.
struct ReplicaFit: Sendable {
  private let discovered: DiscoveredSchema
  /// The classes for which the store has no table.
  private let missing: Set<String>

  init(_ discovered: DiscoveredSchema, missing: Set<String>) {
    self.discovered = discovered
    self.missing = missing
  }

  /// - Throws: ``RealmError`` with code `fail` for a version that the store can't show.
  @Sendable func check(_ state: FileState, _ name: String) throws(RealmError) {
    guard discovered.named(besides: state.schema, readOnly: true) === discovered else {
      throw RealmError(.fail, ErrorText.collectionNameTaken)
    }
    let changes = SchemaDiff.changes(from: state.schema, to: discovered.schema)
    guard !changes.contains(where: \.isRefusedInReadOnlyMode) else {
      throw RealmError(.fail, SchemaDiff.readOnlyMessage(changes))
    }
    for object in discovered.schema.objectSchema where state.schema[object.className] == nil {
      guard missing.contains(object.className) else {
        throw RealmError(.fail, ErrorText.missingTable(object.className, in: name))
      }
    }
  }
}

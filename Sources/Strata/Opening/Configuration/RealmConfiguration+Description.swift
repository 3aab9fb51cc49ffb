import Foundation

extension RealmConfiguration: CustomStringConvertible {
  /// Where the realm is, its version and its classes, for a log. The key of an encrypted file is
  /// never a part of it.
  public var description: String {
    let place =
      replica.map { "replica: '\($0.folder.path)'" + ($0.asOf.map { " as of \($0)" } ?? "") }
      ?? inMemoryIdentifier.map { "inMemoryIdentifier: '\($0)'" }
      ?? "fileURL: '\(fileURL?.path ?? "none")'"
    let classes = objectTypes.map { types in
      "[" + types.map { $0.className() }.sorted().joined(separator: ", ") + "]"
    }
    let key = encryptionKey == nil ? "" : ", encryptionKey: <not shown>"
    let dynamic = dynamicClasses == .none ? "" : ", dynamicClasses: \(dynamicClasses)"
    return
      "Realm.Configuration(\(place), schemaVersion: \(schemaVersion), readOnly: \(readOnly)\(key), "
      + "objectTypes: \(classes ?? "all")\(dynamic))"
  }
}

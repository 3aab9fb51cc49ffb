package import Foundation
package import Strata
package import StrataStorage

/// A file of one test that is published to the folder of a replica.
package final class TestReplica {
  /// The file that is written.
  package let primary: TestFolder
  package let folder: ReplicaFolder
  private var position: UInt64 = 0

  package init() throws {
    primary = try TestFolder()
    folder = ReplicaFolder(primary.url.appendingPathComponent("orders.replica", isDirectory: true))
  }

  package func configuration(
    _ types: [ObjectBase.Type], version: UInt64 = 0, patience: Duration = .zero
  ) -> Realm.Configuration {
    Realm.Configuration(
      replica: .init(folder: folder.url, patience: patience), schemaVersion: version,
      objectTypes: types)
  }

  /// Writes to the file, and closes it.
  package func write(
    _ types: [ObjectBase.Type], version: UInt64 = 0, _ body: (Realm) throws -> Void
  ) throws {
    try primary.write(types, version: version) { realm in try body(realm) }
  }

  /// Publishes the file as it is, at the next position.
  @discardableResult
  package func publish(at position: UInt64? = nil) throws -> ReplicaFolder.Entry {
    self.position = position ?? self.position + 1
    return try publish(PublicationName(position: self.position)) { [file = primary.file] part in
      try FileBackup.copyWhole(file, to: part, nil, progress: nil)
    }
  }

  /// Publishes something else.
  @discardableResult
  package func publish(
    _ name: PublicationName? = nil, _ fill: (URL) throws -> Void
  ) throws -> ReplicaFolder.Entry {
    if name == nil { position += 1 }
    let lock = try folder.lock()
    defer { withExtendedLifetime(lock) {} }
    return try folder.publish(name ?? PublicationName(position: position)) { try fill($0) }
  }

  /// The names of the files in the folder.
  package var fileNames: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }
  }
}

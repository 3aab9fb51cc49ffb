import Logging
import StrataStorage

extension Realm.Configuration {
  /// The configuration of a store that is open.
  init(openStore store: Store) {
    self.init(
      fileURL: store.file.url, inMemoryIdentifier: store.settings.memoryIdentifier,
      encryptionKey: store.file.key?.bytes, readOnly: store.settings.isReadOnly,
      schemaVersion: store.classes.dynamic == .all ? 0 : store.settings.schemaVersion,
      objectTypes: store.classes.objectTypes,
      logger: store.logger.flatMap { $0.handler is SharedLogHandler ? nil : $0 })
    dynamicClasses = store.classes.dynamic
    if let replica = store.replica {
      self.replica = Replica(folder: replica.folder.url, asOf: replica.fixedAt)
    }
  }
}

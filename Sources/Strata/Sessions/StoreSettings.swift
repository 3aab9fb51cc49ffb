import GRDB
import Logging
import StrataStorage

/// The settings with which a program has opened a store.
struct StoreSettings {
  var schemaVersion: UInt64
  var isReadOnly: Bool
  /// The name of an in-memory realm, whose file is private.
  var memoryIdentifier: String?
  /// The author in the history of transactions that name none themselves.
  var author: String?
  /// How many snapshots may be kept while a transaction begins; nil for any number.
  var mostActiveVersions: UInt?
  var logger: Logger?
}

/// The connections that an opening leaves to a store.
struct StoreConnections {
  var readers: Readers
  /// Nil where nothing had to be written until now.
  var writer: DatabaseQueue?
  var busyTimeout: BusyTimeout
}

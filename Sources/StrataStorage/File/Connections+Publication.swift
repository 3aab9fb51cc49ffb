package import Foundation
package import GRDB

extension Connections {
  /// Opens a connection to a file that never changes: without locks, and without any file beside
  /// it, so that the folder need not be writable.
  package static func openPublication(_ url: URL, _ key: FileKey?) throws -> DatabaseQueue {
    var configuration = configuration(key)
    configuration.label = "Strata.replica"
    configuration.readonly = true
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { QueryFunctions.add(to: $0) }
    return try makeQueue(url, as: immutable(url), key, configuration)
  }
}

import Foundation
import GRDB
import StrataStorage

extension DatabaseQueue {
  /// Opens a file without the library.
  ///
  /// The last connection of a realm locks the file while it is being closed, on another thread:
  /// this one waits for it.
  static func plain(_ file: URL, _ configuration: Configuration = Connections.configuration(nil))
    throws
    -> DatabaseQueue
  {
    var configuration = configuration
    configuration.busyMode = .timeout(10)
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }
}

public import Foundation
import Synchronization

extension RealmConfiguration {
  private static let storedDefault = Mutex<RealmConfiguration?>(nil)

  /// The configuration that `Realm()` uses, outside of
  /// ``Realm/withConfiguration(_:operation:)``. May be set and read on any thread.
  public static var defaultConfiguration: RealmConfiguration {
    get { storedDefault.withLock { $0 } ?? RealmConfiguration() }
    set {
      var other: RealmConfiguration? = newValue
      // The one before is released outside of the lock: the program may run at the end of what its
      // closures have.
      storedDefault.withLock { swap(&$0, &other) }
    }
  }

  /// The file of a configuration that names none: `default.sqlite` in a place of the user's.
  ///
  /// On Linux `$XDG_DATA_HOME/<executable>/`, where `XDG_DATA_HOME` is `~/.local/share` unless
  /// set; on Apple platforms the folder of the app's documents. The folder is created when it is
  /// opened.
  public static var defaultFileURL: URL {
    defaultFolder.appendingPathComponent(defaultFileName, isDirectory: false)
  }

  static let defaultFileName = "default.sqlite"

  private static var defaultFolder: URL {
    #if canImport(Darwin)
      let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)
      return documents.first ?? FileManager.default.temporaryDirectory
    #else
      let name = ProcessInfo.processInfo.processName
      // A relative path in the variable is invalid, and to be ignored (XDG Base Directory
      // Specification).
      if let path = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], path.hasPrefix("/") {
        return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(name)
      }
      return FileManager.default.homeDirectoryForCurrentUser
        .appendingPathComponent(".local/share", isDirectory: true).appendingPathComponent(name)
    #endif
  }
}

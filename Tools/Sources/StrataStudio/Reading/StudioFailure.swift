import GRDB
import Strata

/// The meaning of errors of the library and of SQLite for the page.
package enum StudioFailure {
  /// - Returns: Nil for an error that should not be.
  package static func explain(_ error: any Error) -> RequestFailure? {
    switch error {
    case let error as Realm.Error where error.code == .fail:
      RequestFailure(
        .unprocessable, "invalid",
        // A person can't do what a program would.
        error.message.replacing(
          "Use 'update: .modified' to change the object that has it.",
          with: "Give it another key, or change the object that has it."))
    case let error as Realm.Error where error.code == .outOfDiskSpace:
      RequestFailure(.insufficientStorage, "room", error.message)
    case let error as Realm.Error:
      RequestFailure(.unavailable, "file", error.message)
    // A change is refused by the library, above: this is sorting, which takes room for a while.
    case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
      RequestFailure(
        .insufficientStorage, "room",
        "There is no room on the disk for what this needs meanwhile. Make room, and try again.")
    case let error as DatabaseError:
      RequestFailure(
        .unavailable, "file",
        "The file can't be read (\(error.message ?? "\(error.resultCode)")). Look at its problems, and "
          + "load the page again.")
    default: nil
    }
  }
}

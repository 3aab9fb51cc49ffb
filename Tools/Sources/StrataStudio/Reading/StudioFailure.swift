import GRDB
import Strata

/// The translation of errors of the library and of SQLite for the page.
enum StudioFailure {
  /// - Returns: Nil for an unexpected error.
  static func explain(_ error: any Error) -> RequestFailure? {
    switch error {
    case let error as Realm.Error where error.code == .fail:
      RequestFailure(
        .unprocessable, "invalid",
        // The library's advice is for programmers.
        error.message.replacing(
          "Use 'update: .modified' to change the object that has it.",
          with: "Give it another key, or change the object that has it."))
    case let error as Realm.Error where error.code == .outOfDiskSpace:
      RequestFailure(.insufficientStorage, "room", error.message)
    case let error as Realm.Error:
      RequestFailure(.unavailable, "file", error.message)
    // The library reports a full disk for changes, above. This error comes from sorting, which
    // needs temporary space.
    case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
      RequestFailure(
        .insufficientStorage, "room",
        "There is not enough disk space for the temporary data of this query. Free some space and "
          + "try again."
      )
    case let error as DatabaseError:
      RequestFailure(
        .unavailable, "file",
        "The file can't be read (\(error.message ?? "\(error.resultCode)")). Look at its problems, and "
          + "load the page again.")
    default: nil
    }
  }
}

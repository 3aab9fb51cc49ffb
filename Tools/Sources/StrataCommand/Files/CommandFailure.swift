import Foundation
import Strata
import StrataRealmFile
import StrataStudio

/// The exit status of the command. The numbers from 64 on have the meanings of `sysexits.h`.
enum CommandStatus: Int32, CaseIterable {
  /// Success; a check found no problem, or a comparison no difference.
  case success = 0
  /// A check found problems, or a comparison found differences.
  case found = 1
  /// The arguments are wrong.
  case usage = 64
  /// The file is not a file of Strata or Realm, is damaged, or has an unsupported version.
  case data = 65
  /// The file doesn't exist, or isn't a regular file.
  case noInput = 66
  /// A required program isn't installed.
  case unavailable = 69
  /// A bug in the command, which should be reported.
  case software = 70
  /// The output file exists already, or its folder doesn't.
  case cannotCreate = 73
  /// The disk failed or is full.
  case inputOutput = 74
  /// Another program uses the file: a retry may succeed.
  case temporary = 75
  /// The permissions of the file or of its folder forbid it.
  case noPermission = 77
  /// Control-C or a signal ended the command.
  case interrupted = 130
  /// The reader closed the output, as `head` does: the status that a shell reports for `SIGPIPE`.
  case readerGone = 141
}

/// The reason why the command fails: what is wrong, where, and how to repair it.
struct CommandFailure: Error, Hashable, CustomStringConvertible {
  var status: CommandStatus
  var message: String

  var description: String { message }

  init(_ status: CommandStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// Makes the failure of a file from its path, the problem and the repair.
  init(_ status: CommandStatus, path: String, _ problem: String, repair: String) {
    self.init(status, "'\(PlainText.of(path))': \(problem). \(repair)")
  }
}

extension CommandFailure {
  /// Replaces absolute paths, which the libraries report, by the paths that the user wrote.
  func naming(_ paths: [String]) -> CommandFailure {
    var failure = self
    for path in paths {
      let whole = URL(fileURLWithPath: path).path
      guard whole != path, !path.isEmpty else { continue }
      failure.message = failure.message.replacingOccurrences(
        of: "'\(whole)", with: "'\(PlainText.of(path))")
    }
    return failure
  }

  /// Translates an error of the libraries for a user of the command line.
  init(_ error: any Error) {
    switch error {
    case let error as CommandFailure: self = error
    case let error as RealmError:
      if let unreadable = error.underlyingError as? RealmFileError {
        self.init(unreadable)
      } else {
        self.init(error.isBusy ? .temporary : Self.status(of: error.code), error.message)
      }
    case let error as RealmFileError: self.init(error)
    case let error as ServerFailure:
      let status: CommandStatus =
        switch error.reason {
        case .portInUse, .system: .temporary
        case .portForbidden: .noPermission
        case .noFolder: .cannotCreate
        }
      self.init(status, error.message)
    case is CancellationError:
      self.init(.interrupted, "Interrupted. Nothing was written.")
    default:
      self.init(
        .software, "Unexpected error: \(error). This is a bug in 'strata'. Please report it.")
    }
  }

  private init(_ error: RealmFileError) {
    var error = error
    switch error.code {
    case .encrypted: error.repair = "If it is a file of Realm, give its key with '--key-file'."
    case .notEncrypted: error.repair = "Leave out '--key-file'."
    case .wrongKey:
      error.repair = "Give the file with the 64 bytes with which Realm opens it ('--key-file')."
    default: break
    }
    self.init(Self.status(of: error.code), error.description)
  }

  private static func status(of code: RealmError.Code) -> CommandStatus {
    switch code {
    case .fileNotFound, .fileOperationFailed: .noInput
    case .filePermissionDenied: .noPermission
    case .fileExists: .cannotCreate
    case .alreadyOpen: .temporary
    case .fileAccess, .outOfDiskSpace: .inputOutput
    default: .data
    }
  }

  private static func status(of code: RealmFileError.Code) -> CommandStatus {
    switch code {
    case .cannotOpen: .inputOutput
    case .inUse, .changed: .temporary
    default: .data
    }
  }
}

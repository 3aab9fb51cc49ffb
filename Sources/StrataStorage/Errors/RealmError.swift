public import Foundation

/// An error: what went wrong, where, and how to repair it. Available as ``Realm/Error``.
///
/// Every failure caused by a file, a schema or data is thrown as a `RealmError`.
/// Match it by its code, as with RealmSwift:
///
/// ```swift
/// do {
///   let realm = try Realm(configuration: configuration)
/// } catch Realm.Error.schemaMismatch {
///   // The classes changed, and `schemaVersion` didn't.
/// }
/// ```
public struct RealmError: Error, Sendable {
  /// The kind of failure. New codes may appear in minor releases.
  public var code: Code

  /// The failure, its place, and how to repair it.
  public var message: String

  /// The file that the failure is about, where there is one.
  public var fileURL: URL?

  /// The message for logs, if `message` contains values; nil if `message` contains none.
  private var discreetMessage: String?

  /// The message without values of objects, for logs.
  public var loggedMessage: String { discreetMessage ?? message }

  /// The error below this one, for example the one that SQLite reported.
  public var underlyingError: (any Error)?

  package init(
    _ code: Code, _ message: String, logged: String? = nil, fileURL: URL? = nil,
    underlyingError: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    discreetMessage = logged
    self.fileURL = fileURL
    self.underlyingError = underlyingError
  }
}

extension RealmError {
  /// Creates an error of the program's own: `throw Realm.Error(.fail)`.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - userInfo: The message as `NSLocalizedDescriptionKey`, the file's path as `NSFilePath`, and
  ///     the underlying error as `NSUnderlyingErrorKey`. The default message is the code's name.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.init(
      code, userInfo[NSLocalizedDescriptionKey] as? String ?? code.description,
      fileURL: (userInfo["NSFilePath"] as? String).map { URL(fileURLWithPath: $0) },
      underlyingError: userInfo[NSUnderlyingErrorKey] as? any Error)
  }
}

extension RealmError: Equatable {
  /// Two errors are equal when their codes are, as in RealmSwift.
  public static func == (lhs: RealmError, rhs: RealmError) -> Bool {
    lhs.code == rhs.code
  }
}

extension RealmError: CustomStringConvertible {
  public var description: String { message }
}

extension RealmError: LocalizedError, CustomNSError {
  public static var errorDomain: String { "io.realm" }

  public var errorCode: Int { code.rawValue }

  public var errorDescription: String? { message }

  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: message, "Error Code": code.rawValue,
      "Error Name": code.description,
    ]
    if let fileURL { info["NSFilePath"] = fileURL.path }
    if let underlyingError { info[NSUnderlyingErrorKey] = underlyingError }
    return info
  }
}

/// Stops the process because of a mistake in the program that would corrupt data.
///
/// This is the only place in the library that stops a process. It is never called because of the
/// contents of a file.
package func stopForProgrammerError(_ message: @autoclosure () -> String) -> Never {
  fatalError(message())
}

// Errors of RealmSwift that concern its own file format. SQLite has no such failures: programs may
// match these codes, but never receive them.
extension RealmError.Code {
  /// The file is of an older format, and may not be upgraded. Never thrown: files have one format.
  public static let fileFormatUpgradeRequired = Self(rawValue: 6)
  /// A process of another architecture has the file open. Never thrown: SQLite allows this.
  public static let incompatibleLockFile = Self(rawValue: 8)
  /// There is no address space for the file. Never thrown: the library doesn't map whole files.
  public static let addressSpaceExhausted = Self(rawValue: 9)
  /// An argument is invalid. Never thrown: ``fail`` is thrown instead, and names the argument.
  public static let invalidInput = Self(rawValue: 13)
  /// Another process has the file open in an incompatible way. Never thrown.
  public static let incompatibleSession = Self(rawValue: 15)
  /// The file is of an unknown format. Never thrown: ``invalidDatabase`` is thrown instead.
  public static let unsupportedFileFormatVersion = Self(rawValue: 16)
  /// The file has a history of another kind. Never thrown: there is only one kind.
  public static let incompatibleHistories = Self(rawValue: 21)
}

extension RealmError {
  /// See ``Code/fileFormatUpgradeRequired``.
  public static var fileFormatUpgradeRequired: Code { Code.fileFormatUpgradeRequired }
  /// See ``Code/incompatibleLockFile``.
  public static var incompatibleLockFile: Code { Code.incompatibleLockFile }
  /// See ``Code/addressSpaceExhausted``.
  public static var addressSpaceExhausted: Code { Code.addressSpaceExhausted }
  /// See ``Code/invalidInput``.
  public static var invalidInput: Code { Code.invalidInput }
  /// See ``Code/incompatibleSession``.
  public static var incompatibleSession: Code { Code.incompatibleSession }
  /// See ``Code/unsupportedFileFormatVersion``.
  public static var unsupportedFileFormatVersion: Code { Code.unsupportedFileFormatVersion }
  /// See ``Code/incompatibleHistories``.
  public static var incompatibleHistories: Code { Code.incompatibleHistories }
}

extension RealmError {
  /// The kind of a failure. The raw values are the values of RealmSwift's `RLMError`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number of RealmSwift's `RLMError`.
    public let rawValue: Int

    /// Creates a code from a number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }
  }
}

extension RealmError.Code {
  /// The request can't be carried out: a lower version, a bad model, duplicate keys, a wrong use.
  public static let fail = Self(rawValue: 1)
  /// The file can't be read or written, for a reason that no other code describes.
  public static let fileAccess = Self(rawValue: 2)
  /// The permissions of the file, or of its folder, forbid the access.
  public static let filePermissionDenied = Self(rawValue: 3)
  /// A file exists already at the destination of a copy.
  public static let fileExists = Self(rawValue: 4)
  /// There is no file at the path, or its folder is missing.
  public static let fileNotFound = Self(rawValue: 5)
  /// The schema of the file differs from the classes, and `schemaVersion` was not increased.
  public static let schemaMismatch = Self(rawValue: 10)
  /// The file is open, and the request needs it closed.
  public static let alreadyOpen = Self(rawValue: 12)
  /// The disk is full, or a limit on the length of files is reached.
  public static let outOfDiskSpace = Self(rawValue: 14)
  /// The path names something that can't be a database file, for example a folder.
  public static let fileOperationFailed = Self(rawValue: 19)
  /// The file is not a database, or is damaged.
  public static let invalidDatabase = Self(rawValue: 20)
  /// The history of the file no longer keeps the transactions behind a token. RealmSwift has no
  /// such code.
  public static let historyExpired = Self(rawValue: 1001)
  /// A token belongs to another history: the file was restored or copied. RealmSwift has no such
  /// code.
  public static let historyDiverged = Self(rawValue: 1002)
  /// The file is of a newer schema version, and this program may not use it, or may not make this
  /// change. Thrown only with `opensNewerVersions`. RealmSwift has no such code.
  public static let newerVersion = Self(rawValue: 1003)
  /// A replica doesn't have a transaction yet. RealmSwift has no such code.
  public static let replicaBehind = Self(rawValue: 1004)
  /// A version is of a primary that another one has replaced. RealmSwift has no such code.
  public static let otherPrimary = Self(rawValue: 1005)
}

/// The codes as members of the error, so that `catch Realm.Error.schemaMismatch` compiles.
extension RealmError {
  /// See ``Code/historyExpired``.
  public static var historyExpired: Code { Code.historyExpired }
  /// See ``Code/historyDiverged``.
  public static var historyDiverged: Code { Code.historyDiverged }
  /// See ``Code/newerVersion``.
  public static var newerVersion: Code { Code.newerVersion }
  /// See ``Code/replicaBehind``.
  public static var replicaBehind: Code { Code.replicaBehind }
  /// See ``Code/otherPrimary``.
  public static var otherPrimary: Code { Code.otherPrimary }
  /// See ``Code/fail``.
  public static var fail: Code { Code.fail }
  /// See ``Code/fileAccess``.
  public static var fileAccess: Code { Code.fileAccess }
  /// See ``Code/filePermissionDenied``.
  public static var filePermissionDenied: Code { Code.filePermissionDenied }
  /// See ``Code/fileExists``.
  public static var fileExists: Code { Code.fileExists }
  /// See ``Code/fileNotFound``.
  public static var fileNotFound: Code { Code.fileNotFound }
  /// See ``Code/schemaMismatch``.
  public static var schemaMismatch: Code { Code.schemaMismatch }
  /// See ``Code/alreadyOpen``.
  public static var alreadyOpen: Code { Code.alreadyOpen }
  /// See ``Code/outOfDiskSpace``.
  public static var outOfDiskSpace: Code { Code.outOfDiskSpace }
  /// See ``Code/fileOperationFailed``.
  public static var fileOperationFailed: Code { Code.fileOperationFailed }
  /// See ``Code/invalidDatabase``.
  public static var invalidDatabase: Code { Code.invalidDatabase }
}

extension RealmError.Code: CustomStringConvertible {
  /// The name in RealmSwift's `userInfo["Error Name"]`.
  public var description: String {
    switch self {
    case .fail: "Fail"
    case .fileAccess: "FileAccess"
    case .filePermissionDenied: "PermissionDenied"
    case .fileExists: "FileExists"
    case .fileNotFound: "FileNotFound"
    case .schemaMismatch: "SchemaMismatch"
    case .alreadyOpen: "AlreadyOpen"
    case .outOfDiskSpace: "OutOfDiskSpace"
    case .fileOperationFailed: "FileOperationFailed"
    case .invalidDatabase: "InvalidDatabase"
    default: "Code \(rawValue)"
    }
  }
}

/// Matches an error by its code, so that `catch Realm.Error.schemaMismatch` works.
public func ~= (code: RealmError.Code, error: any Error) -> Bool {
  (error as? RealmError)?.code == code
}

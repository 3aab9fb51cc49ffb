extension RealmError {
  /// The kind of a failure; the raw values are those of RealmSwift's `RLMError`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number of RealmSwift's `RLMError`.
    public let rawValue: Int

    /// Makes a code of a number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }
  }
}

extension RealmError.Code {
  /// The request can't be carried out: a lower version, a bad model, duplicate keys, a wrong use.
  public static let fail = Self(rawValue: 1)
  /// The file can't be read or written for a reason that no other code names.
  public static let fileAccess = Self(rawValue: 2)
  /// The permissions of the file, or of its folder, forbid the access.
  public static let filePermissionDenied = Self(rawValue: 3)
  /// A file exists where a copy should be written.
  public static let fileExists = Self(rawValue: 4)
  /// The path has no file, or its folder is missing.
  public static let fileNotFound = Self(rawValue: 5)
  /// The schema of the file differs from the classes, and `schemaVersion` was not increased.
  public static let schemaMismatch = Self(rawValue: 10)
  /// The file is open, and the request needs it closed.
  public static let alreadyOpen = Self(rawValue: 12)
  /// The disk is full, or files must not become longer.
  public static let outOfDiskSpace = Self(rawValue: 14)
  /// The path names something that can't be a database file, for example a folder.
  public static let fileOperationFailed = Self(rawValue: 19)
  /// The file is not a database, or a damaged one.
  public static let invalidDatabase = Self(rawValue: 20)
  /// The transactions behind a token are no longer kept in the history of the file. Not one of
  /// RealmSwift's.
  public static let historyExpired = Self(rawValue: 1001)
  /// A token is of another history than that of the file: it was restored or copied. Not one of
  /// RealmSwift's.
  public static let historyDiverged = Self(rawValue: 1002)
}

/// The codes by the names under which `catch Realm.Error.schemaMismatch` looks for them.
extension RealmError {
  /// See ``Code/historyExpired``.
  public static var historyExpired: Code { Code.historyExpired }
  /// See ``Code/historyDiverged``.
  public static var historyDiverged: Code { Code.historyDiverged }
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
  /// The name that RealmSwift puts into `userInfo["Error Name"]`.
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

/// Lets `catch Realm.Error.schemaMismatch` match an error by its code.
public func ~= (code: RealmError.Code, error: any Error) -> Bool {
  (error as? RealmError)?.code == code
}

// What RealmSwift reports of its own files. SQLite has no such failures: programs may look for
// these codes, and never get them.
extension RealmError.Code {
  /// The file is of an older format, and may not be upgraded. Never thrown: files have one format.
  public static let fileFormatUpgradeRequired = Self(rawValue: 6)
  /// A process of another architecture has the file open. Never thrown: that is allowed.
  public static let incompatibleLockFile = Self(rawValue: 8)
  /// There is no address space for the file. Never thrown: files aren't mapped as a whole.
  public static let addressSpaceExhausted = Self(rawValue: 9)
  /// An argument has no meaning. Never thrown: it is ``fail``, with the argument.
  public static let invalidInput = Self(rawValue: 13)
  /// Another process has the file open in a way that excludes this one. Never thrown.
  public static let incompatibleSession = Self(rawValue: 15)
  /// The file is of an unknown format. Never thrown: it is ``invalidDatabase``.
  public static let unsupportedFileFormatVersion = Self(rawValue: 16)
  /// The file has a history of another kind. Never thrown: files have none.
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

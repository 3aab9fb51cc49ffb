import Foundation
import Strata
import StrataRealmFile
import StrataRealmFileEncryption
import StrataStorage

/// A file that the user has named, with its kind.
struct InputFile {
  /// The path as the user wrote it; messages show this path.
  let path: String
  let kind: FileKind
  /// The 64 bytes of the key, if the user gave a key.
  let key: Data?

  /// The file itself, with symbolic links resolved.
  var url: URL { StoreFile.behindLinks(URL(fileURLWithPath: path)) }

  /// Determines the kind of the file at a path.
  ///
  /// The bytes are read, and the file is closed, before SQLite opens it: closing it later would
  /// release SQLite's POSIX locks.
  /// - Parameter keyFile: The path of the key of an encrypted file.
  /// - Throws: ``CommandFailure`` if there is no readable file at the path.
  init(_ path: String, keyFile: String? = nil) throws(CommandFailure) {
    let key: Data? = if let keyFile { try EncryptionKeyFile.read(keyFile) } else { nil }
    try self.init(path, key: key)
  }

  /// Reads the kind of the file again.
  ///
  /// - Throws: ``CommandFailure`` if there is no readable file any more.
  func now() throws(CommandFailure) -> InputFile { try InputFile(path, key: key) }

  private init(_ path: String, key: Data?) throws(CommandFailure) {
    self.path = path
    let start = FileKind(start: try Self.start(of: path))
    if key != nil, start == .database {
      throw CommandFailure(
        .data, path: path, "This database of SQLite isn't encrypted",
        repair: "Leave out '--key-file'.")
    }
    self.key = key
    kind = start == .other && Self.opensAsDatabase(path, key) ? .encryptedDatabase : start
  }

  /// Whether a key opens a file as a database.
  private static func opensAsDatabase(_ path: String, _ key: Data?) -> Bool {
    guard let key, Realm.canEncrypt else { return false }
    let url = URL(fileURLWithPath: path)
    do {
      // Realm's reader goes first: SQLCipher prints an error for files that it can't decrypt.
      _ = try RealmFile(url, encryptionKey: key)
      return false
    } catch {
      // The file may still be a database.
    }
    do {
      _ = try Realm.inspection(at: url, encryptionKey: key, countingObjects: false)
      return true
    } catch {
      // Realm's reader reports later what the file is.
      return false
    }
  }

  /// Checks that the file is a database. The error names the actual kind of the file.
  func requireDatabase() throws(CommandFailure) {
    switch kind {
    case .database, .encryptedDatabase: return
    case .empty: throw empty
    case .realm:
      throw failure(
        "This is a file of Realm, and the command works on files of Strata",
        "Make one of it with 'strata convert'.")
    case .other where key == nil:
      throw failure(
        "This is not a file of Strata: it is not an SQLite database, or its first page is damaged",
        "Check the path, or restore the file from a backup. If it is encrypted, give its key with '--key-file'."
      )
    case .other where Realm.canEncrypt:
      throw failure(
        "This key doesn't open the file, or it is not a file of Strata",
        "Give the file with the 64 bytes with which the program opens it ('--key-file').")
    case .other:
      throw failure(
        "This is not a file of Strata, or it is encrypted, which the SQLite library of 'strata' can't do",
        "Start 'strata' with SQLCipher as its SQLite library: see docs/encryption.md.")
    }
  }

  /// Opens the file of Realm.
  func realmFile() throws -> RealmFile {
    try requireRealm()
    guard let key else { return try RealmFile(url) }
    do throws(RealmFileError) {
      return try RealmFile(url, encryptionKey: key)
    } catch {
      guard error.code == .wrongKey, !Realm.canEncrypt else { throw error }
      // Without the right key, encrypted files of Strata and of Realm look the same.
      throw failure(
        "The key fits no page of an encrypted file of Realm. If it is one of Strata, the SQLite library of "
          + "'strata' can't open it",
        "For a file of Strata, start 'strata' with SQLCipher as its SQLite library: see docs/encryption.md. For "
          + "one of Realm, give the file with the 64 bytes with which Realm opens it ('--key-file')."
      )
    }
  }

  /// The cipher that decrypts the file; nil without a key.
  func cipher() throws -> RealmFileKey? { try key.map { try RealmFileKey($0) } }

  /// Checks that the file may be a file of Realm. The error names the actual kind of the file.
  func requireRealm() throws(CommandFailure) {
    if kind == .empty { throw empty }
    if isDatabase {
      throw failure(
        "This is a database of SQLite already, and no file of Realm",
        "Give the path of a file that Realm wrote, which usually ends with '.realm'.")
    }
    if kind == .other, key == nil {
      throw failure(
        "This is neither an SQLite database nor a readable file of Realm",
        "Check the path. If it is encrypted, give its key with '--key-file'.")
    }
  }

  func failure(_ problem: String, _ repair: String) -> CommandFailure {
    CommandFailure(.data, path: path, problem, repair: repair)
  }

  private var empty: CommandFailure {
    failure("The file is empty", "Check the path, or restore the file from a backup.")
  }
}

extension InputFile {
  /// Whether a path leads to a folder, perhaps through a link.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Reads the first bytes of a file, which show its kind.
  private static func start(of path: String) throws(CommandFailure) -> [UInt8] {
    func failure(_ status: CommandStatus, _ problem: String, _ repair: String) -> CommandFailure {
      CommandFailure(status, path: path, problem, repair: repair)
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      switch errno {
      case EACCES:
        throw failure(
          .noPermission, "Its folder may not be entered", "Ask for permission to read it.")
      default: throw failure(.noInput, "There is no such file", "Check the path.")
      }
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw failure(.noInput, "This is a folder", "Give the path of a file.")
    default: throw failure(.noInput, "This is no ordinary file", "Give the path of a file.")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw failure(
        errno == EACCES ? .noPermission : .inputOutput, "The file can't be read (\(reason))",
        "Ask for permission to read it, or try again.")
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: FileKind.length)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else {
      let reason = String(cString: strerror(errno))
      throw failure(.inputOutput, "The file can't be read (\(reason))", "Check the disk.")
    }
    return Array(bytes.prefix(count))
  }
}

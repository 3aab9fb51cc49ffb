import Foundation
import StrataRealmFile
import StrataRealmFileEncryption

/// A file that the user has named, and what it turned out to be.
struct InputFile {
  /// The path as the user wrote it, for everything that is printed.
  let path: String
  let kind: FileKind
  private let key: Data?

  var url: URL { URL(fileURLWithPath: path) }

  /// Looks at a path.
  ///
  /// The bytes are read before SQLite opens the file, and closed: afterwards that would cost SQLite
  /// its locks.
  /// - Parameter keyFile: The path of the key of an encrypted file of Realm.
  /// - Throws: ``CommandFailure`` for a path without a file that can be read.
  init(_ path: String, keyFile: String? = nil) throws(CommandFailure) {
    self.path = path
    kind = FileKind(start: try Self.start(of: path))
    key = if let keyFile { try Self.key(in: keyFile) } else { nil }
    if key != nil, kind == .database {
      throw failure("This database of SQLite isn't encrypted", "Leave out '--key-file'.")
    }
  }

  /// The file is a database, or else the failure that says what it is.
  func requireDatabase() throws(CommandFailure) {
    switch kind {
    case .database: return
    case .empty: throw empty
    case .realm:
      throw failure(
        "This is a file of Realm, and the command works on files of Strata",
        "Make one of it with 'strata convert'.")
    case .other:
      throw failure(
        "This is not a file of Strata: it is not an SQLite database, or its first page is damaged",
        "Check the path, or restore the file from a backup.")
    }
  }

  /// The file of Realm.
  func realmFile() throws -> RealmFile {
    try requireRealm()
    guard let key else { return try RealmFile(url) }
    return try RealmFile(url, encryptionKey: key)
  }

  /// What decrypts the file; nil without a key.
  func cipher() throws -> RealmFileKey? { try key.map { try RealmFileKey($0) } }

  /// The file can be one of Realm, or else the failure that says what it is.
  func requireRealm() throws(CommandFailure) {
    if kind == .empty { throw empty }
    if kind == .database {
      throw failure(
        "This is a database of SQLite already, and no file of Realm",
        "Give the path of a file that Realm wrote, which usually ends with '.realm'.")
    }
    if kind == .other, key == nil {
      throw failure(
        "This is neither an SQLite database nor a readable file of Realm",
        "Check the path. If it is an encrypted file of Realm, give its key with '--key-file'.")
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
  /// The bytes that tell the kind of a file.
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

  /// - Throws: ``CommandFailure`` for a file that can't be read, or holds no key.
  private static func key(in path: String) throws(CommandFailure) -> Data {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw CommandFailure(
        .noInput, path: path, "The file with the key can't be read",
        repair: "Check the path and its permissions.")
    }
    guard let key = EncryptionKeyFile.key(in: [UInt8](bytes)) else {
      throw CommandFailure(
        .data, path: path,
        "This file of \(Figures.count(bytes.count, "byte")) holds no key of Realm",
        repair: "Write the 64 bytes of the key into it, or their 128 hexadecimal digits.")
    }
    return Data(key)
  }
}

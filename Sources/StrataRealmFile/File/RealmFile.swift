public import Foundation

/// A `.realm` file that Realm wrote, opened for reading.
///
/// Files of formats 10, 11 and 20 to 24 can be read, which RealmSwift 5.0 to 20 writes. The file is
/// mapped into memory, so only the used parts are read from the disk, and the file is never written
/// to. All data is checked before it is used: a damaged file results in a ``RealmFileError`` that
/// names the place.
///
/// ```swift
/// let file = try RealmFile(url)
/// print(file.schemaVersion ?? 0, file.classes.map(\.name))
/// let people = try file.objects("Person")
/// while let person = try people.next() {
///   print(person.key, person["name"] ?? .null)
/// }
/// ```
///
/// Realm writes in place. So read a file that no program has open, or a copy that Realm makes with
/// `writeCopy`. An open file is refused, and a file that changes while it is read results in an
/// error with code `changed`. Like any mapped file, it must not be truncated meanwhile: the system
/// stops a program that reads past the end.
///
/// The value can be used by several threads. Each needs its own cursors.
public struct RealmFile: Sendable {
  private let file: OpenFile

  /// Opens a file that isn't encrypted.
  ///
  /// - Throws: ``RealmFileError`` with code `cannotOpen`, `empty`, `notRealmFile`, `truncated`,
  ///   `olderFormat`, `newerFormat`, `encrypted`, `inUse`, `changed` or `damaged`.
  public init(_ url: URL, limits: RealmFileLimits = RealmFileLimits()) throws(RealmFileError) {
    try self.init(url, cipher: nil, limits: limits)
  }

  /// Opens an encrypted file. `StrataRealmFileEncryption` has an initializer that takes the key.
  ///
  /// Pages are decrypted at their first use, and stay in memory while the file is open. Decrypted
  /// data is never written to the disk.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - cipher: The cipher with the key of the file.
  ///   - limits: The limits of decoded bytes.
  /// - Throws: ``RealmFileError`` with code `wrongKey`, `damagedPage` or `notEncrypted`, in
  ///   addition to the errors of an unencrypted file.
  public init(
    _ url: URL, cipher: some RealmFileCipher, limits: RealmFileLimits = RealmFileLimits()
  ) throws(RealmFileError) {
    try self.init(url, cipher: Optional(cipher), limits: limits)
  }

  private init(
    _ url: URL, cipher: (any RealmFileCipher)?, limits: RealmFileLimits
  ) throws(RealmFileError) {
    let path = url.path
    do throws(RealmFileError) {
      try SourceFile.refuseOpenFile(path)
      try self.init(SourceFile.map(path), path: path, cipher: cipher, limits: limits)
    } catch {
      throw error.at(path: path)
    }
  }

  /// Reads the bytes of a file, which are copied.
  ///
  /// - Throws: ``RealmFileError``, as for a file.
  public init(
    bytes: some ContiguousBytes, cipher: (any RealmFileCipher)? = nil,
    limits: RealmFileLimits = RealmFileLimits()
  ) throws(RealmFileError) {
    guard let region = bytes.withUnsafeBytes({ Region(copying: $0) }) else {
      throw RealmFileError(
        .cannotOpen, "There is no memory for the bytes",
        repair: "Read the file from the disk, which takes less.")
    }
    guard region.count > 0 else { throw .empty }
    try self.init(region, path: nil, cipher: cipher, limits: limits)
  }

  private init(
    _ region: Region, path: String?, cipher: (any RealmFileCipher)?, limits: RealmFileLimits
  ) throws(RealmFileError) {
    let isPlain = FileHeader.hasMark(region.bytes)
    guard let cipher else {
      guard isPlain || !EncryptedPages.look(like: region.bytes) else { throw .encrypted }
      file = try OpenFile(FileBytes(region), limits: limits, path: path)
      return
    }
    guard !isPlain else { throw .notEncrypted }
    file = try OpenFile(FileBytes(region, cipher: cipher), limits: limits, path: path)
  }

  /// The format of the file; 0 if it was never written to.
  public var fileFormat: Int { file.schema.format }

  /// The version of the program's schema; nil if it has none.
  public var schemaVersion: UInt64? { file.schema.version }

  /// Whether the file was synchronized with a server.
  public var isSynchronised: Bool { file.schema.isSynchronised }

  /// The classes, in the order of the file, including embedded ones.
  public var classes: [RealmClass] { file.schema.tables.map(\.info) }

  /// Returns the class with a name.
  ///
  /// - Throws: ``RealmFileError`` with code `unknownClass`.
  public func realmClass(_ name: String) throws(RealmFileError) -> RealmClass {
    try file.table(name).info
  }

  /// Returns a cursor over the objects of a class, which reads single values by the positions of
  /// their properties.
  ///
  /// - Throws: ``RealmFileError`` with code `unknownClass`.
  public func rows(_ className: String) throws(RealmFileError) -> RealmRows {
    RealmRows(file, try file.table(className), try file.pass())
  }

  /// Returns a cursor over the objects of a class.
  ///
  /// - Parameters:
  ///   - className: The name of the class.
  ///   - properties: The names of the properties to read; nil for all of them.
  /// - Throws: ``RealmFileError`` with code `unknownClass` or `unknownProperty`.
  public func objects(
    _ className: String, reading properties: [String]? = nil
  ) throws(RealmFileError) -> RealmObjects {
    try RealmObjects(rows(className), properties)
  }

  /// Returns the object of a class with a key, as stored in links.
  ///
  /// - Returns: Nil if the object is missing.
  /// - Throws: ``RealmFileError`` with code `unknownClass`, and others if the file is damaged.
  public func object(_ className: String, key: Int64) throws(RealmFileError) -> RealmObject? {
    guard let rows = try RealmRows(file, file.table(className), at: key) else { return nil }
    return try RealmObjects(rows, nil).current()
  }

  /// Returns the object that a link leads to.
  public func object(_ link: RealmLink) throws(RealmFileError) -> RealmObject? {
    try object(link.className, key: link.objectKey)
  }

  /// Returns cursors over several classes that together reach each place of the file at most once.
  ///
  /// In a damaged file, several classes may have the same objects: then the second one results in
  /// an error.
  package func reading() throws(RealmFileError) -> RealmReading {
    RealmReading(file: file, pass: try file.pass())
  }
}

/// One pass over a whole file.
package struct RealmReading {
  let file: OpenFile
  let pass: Pass

  /// Returns a cursor over the objects of a class, which can be read once.
  package func rows(_ className: String) throws(RealmFileError) -> RealmRows {
    RealmRows(file, try file.table(className), pass)
  }
}

extension RealmFileError {
  fileprivate static let encrypted = RealmFileError(
    .encrypted, "The file is encrypted, or no '.realm' file",
    repair:
      "Open it with its key: 'RealmFile(url, encryptionKey: key)' of 'StrataRealmFileEncryption', which "
      + "needs the trait 'EncryptedRealmFiles' of the package.")

  fileprivate static let notEncrypted = RealmFileError(
    .notEncrypted, "The file isn't encrypted", repair: "Open it without a key.")
}

/// A cursor over the objects of a class.
///
/// Reading can fail at each object, which a `Sequence` can't express. So this is a cursor, and in
/// asynchronous code also a sequence:
///
/// ```swift
/// let people = try file.objects("Person", reading: ["name", "age"])
/// while let person = try people.next() {
///   print(person["name"] ?? .null)
/// }
/// for try await person in try file.objects("Person") {
///   print(person)
/// }
/// for person in try file.objects("Person").all() {  // all of them in memory
///   print(person)
/// }
/// ```
///
/// A cursor passes over the objects once, and is used by one thread at a time.
public final class RealmObjects {
  private let rows: RealmRows
  private let names: [String]
  private let positions: [Int]

  init(_ rows: RealmRows, _ properties: [String]?) throws(RealmFileError) {
    self.rows = rows
    names = properties ?? rows.realmClass.properties.map(\.name)
    var positions: [Int] = []
    for name in names { positions.append(try rows.realmClass.position(of: name)) }
    self.positions = positions
  }

  /// Returns the next object, in the order of keys; nil at the end.
  ///
  /// - Throws: ``RealmFileError``, for example if the file is damaged. Then there is no next
  ///   object.
  public func next() throws(RealmFileError) -> RealmObject? {
    try rows.next() ? try current() : nil
  }

  /// Returns the remaining objects in an array.
  public func all() throws(RealmFileError) -> [RealmObject] {
    var objects: [RealmObject] = []
    while let object = try next() { objects.append(object) }
    return objects
  }

  func current() throws(RealmFileError) -> RealmObject {
    var values: [RealmValue] = []
    values.reserveCapacity(positions.count)
    for position in positions { values.append(try rows.value(position)) }
    return RealmObject(
      className: rows.realmClass.name, key: rows.key, names: names, values: values)
  }
}

extension RealmObjects: AsyncSequence, AsyncIteratorProtocol {
  public func makeAsyncIterator() -> RealmObjects { self }
}

/// An object of a file: its key, and the values of the properties that were read.
public struct RealmObject: Sendable, Hashable {
  public let className: String
  /// The key of the object, which is unique in its class. Links store it.
  public let key: Int64
  /// The names of the properties that were read.
  public let names: [String]
  /// Their values, in the same order.
  public let values: [RealmValue]

  /// The value of a property; nil if it wasn't read, or if the class has no property of that name.
  public subscript(name: String) -> RealmValue? {
    names.firstIndex(of: name).map { values[$0] }
  }
}

extension RealmObject: CustomStringConvertible {
  /// The class, the key, and each property with its value.
  public var description: String {
    let properties = zip(names, values).map { "\($0): \($1)" }
    return "\(className) \(key) { \(properties.joined(separator: ", ")) }"
  }
}

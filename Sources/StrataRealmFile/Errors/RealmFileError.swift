public import Foundation

/// The reason why a file can't be read: the problem, its place, and the repair.
///
/// ```swift
/// do {
///   let file = try RealmFile(url)
/// } catch let error as RealmFileError where error.code == .encrypted {
///   // The file needs its key.
/// }
/// ```
public struct RealmFileError: Error, Sendable, Hashable {
  /// The kind of failure. New codes may appear in minor releases.
  public var code: Code

  /// The problem, as a sentence without the place and the repair. It contains no values of objects.
  public var problem: String

  /// The repair, as one or more sentences.
  public var repair: String

  /// The place of the problem.
  public var place: Place

  package init(_ code: Code, _ problem: String, repair: String, place: Place = Place()) {
    self.code = code
    self.problem = problem
    self.repair = repair
    self.place = place
  }
}

extension RealmFileError {
  /// The place of a failure, as far as known.
  public struct Place: Sendable, Hashable {
    /// The path of the file; nil for bytes in memory.
    public var path: String?
    /// The class, or the name of a table without a class.
    public var className: String?
    /// The property, by its name in the file.
    public var property: String?
    /// The key of the object.
    public var objectKey: Int64?
    /// The position in the file, in bytes from its start. For an encrypted file, the position in
    /// the decrypted bytes.
    public var offset: Int?

    package init(
      path: String? = nil, className: String? = nil, property: String? = nil,
      objectKey: Int64? = nil, offset: Int? = nil
    ) {
      self.path = path
      self.className = className
      self.property = property
      self.objectKey = objectKey
      self.offset = offset
    }
  }

  /// Returns the failure with more details of its place. Known details are kept.
  package func at(
    path: String? = nil, className: String? = nil, property: String? = nil,
    objectKey: Int64? = nil
  ) -> RealmFileError {
    var error = self
    error.place.path = place.path ?? path
    error.place.className = place.className ?? className
    error.place.property = place.property ?? property
    error.place.objectKey = place.objectKey ?? objectKey
    return error
  }
}

extension RealmFileError: CustomStringConvertible {
  /// The place, the problem and the repair.
  public var description: String {
    let start = place.path.map { "'\($0)': " } ?? ""
    let details = place.description
    return start + problem + (details.isEmpty ? "" : " (\(details))") + ". " + repair
  }
}

extension RealmFileError.Place: CustomStringConvertible {
  /// The place in the file: the class, the property, the object and the byte.
  public var description: String {
    var parts: [String] = []
    if let className { parts.append("class '\(className)'") }
    if let property { parts.append("property '\(property)'") }
    if let objectKey { parts.append("object \(objectKey)") }
    if let offset { parts.append("byte \(offset)") }
    return parts.joined(separator: ", ")
  }
}

/// The limits for reading a file, so that a damaged or malicious file can't exhaust the memory.
///
/// Bytes of a file can be shared: a thousand values may refer to the same text of 16 MB. The
/// decoded bytes are therefore counted, for each reading of a class or of a whole file.
public struct RealmFileLimits: Sendable, Hashable {
  /// The number of decoded bytes that are allowed for each byte of the file.
  public var decodedBytesPerByte: Int
  /// The number of decoded bytes that are allowed in addition.
  public var decodedBytes: Int

  /// Creates limits. No file written by Realm reaches the defaults: 64 bytes for each byte, and 64
  /// MB.
  public init(decodedBytesPerByte: Int = 64, decodedBytes: Int = 64_000_000) {
    self.decodedBytesPerByte = decodedBytesPerByte
    self.decodedBytes = decodedBytes
  }

  /// Returns the number of bytes that a file of a size may decode to, clamped to `Int.max`.
  func decodedBytes(fileSize: Int) -> Int {
    let (product, isTooLarge) = max(0, decodedBytesPerByte).multipliedReportingOverflow(
      by: fileSize)
    let (sum, isTooLargeSum) = product.addingReportingOverflow(max(0, decodedBytes))
    return isTooLarge || isTooLargeSum ? .max : sum
  }
}

extension RealmFileError: LocalizedError {
  /// The place, the problem and the repair, as `localizedDescription` shows them.
  public var errorDescription: String? { description }
}

/// The failures that are thrown in several places.
extension RealmFileError {
  /// Returns the error of a file with contradicting contents at a byte.
  package static func damaged(_ problem: String, at offset: Int?) -> RealmFileError {
    RealmFileError(
      .damaged, "The file is damaged: " + problem,
      repair: "Read a backup of the file, or a copy that Realm makes with 'writeCopy'.",
      place: Place(offset: offset))
  }

  static func truncated(_ problem: String) -> RealmFileError {
    RealmFileError(
      .truncated, "The end of the file is missing: " + problem,
      repair: "Copy the file again, while no program has it open.")
  }

  static func limitExceeded(_ limits: RealmFileLimits, fileSize: Int, at offset: Int?)
    -> RealmFileError
  {
    RealmFileError(
      .limitExceeded,
      "The values of the file take more than \(limits.decodedBytes(fileSize: fileSize)) bytes",
      repair: "The file repeats its bytes, as damaged files do. If it is right, raise "
        + "'RealmFileLimits.decodedBytesPerByte' or 'RealmFileLimits.decodedBytes'.",
      place: Place(offset: offset))
  }

  static let changed = RealmFileError(
    .changed, "The file was written to while it was read",
    repair: "Close the program that uses it, or read a copy that Realm makes with 'writeCopy'.")

  static func wrongType(_ type: String, _ accessor: String) -> RealmFileError {
    RealmFileError(
      .wrongType, "A value of type '\(type)' isn't read with '\(accessor)'",
      repair: "Use the method of its type, or 'value'.")
  }

  static let noObject = RealmFileError(
    .noObject, "The cursor is at no element",
    repair: "Call 'next()' first, and read values only after it returned true.")
}

extension RealmFileError {
  /// The kinds of failure.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Wrapped: String {
      case cannotOpen, empty, notRealmFile, truncated, olderFormat, newerFormat
      case encrypted, notEncrypted, wrongKey, damagedPage
      case damaged, limitExceeded, inUse, changed
      case unknownClass, unknownProperty, wrongType, noObject
    }

    private let wrapped: Wrapped

    public var description: String { wrapped.rawValue }

    /// The system can't open or map the file, or it is no regular file.
    public static var cannotOpen: Code { Code(wrapped: .cannotOpen) }
    /// The file has no bytes.
    public static var empty: Code { Code(wrapped: .empty) }
    /// The file is not a Realm file.
    public static var notRealmFile: Code { Code(wrapped: .notRealmFile) }
    /// The end of the file is missing.
    public static var truncated: Code { Code(wrapped: .truncated) }
    /// The file has format 9 or an older one.
    public static var olderFormat: Code { Code(wrapped: .olderFormat) }
    /// The file has format 25 or a newer one.
    public static var newerFormat: Code { Code(wrapped: .newerFormat) }
    /// The file is encrypted, but there is no key.
    public static var encrypted: Code { Code(wrapped: .encrypted) }
    /// There is a key, but the file isn't encrypted.
    public static var notEncrypted: Code { Code(wrapped: .notEncrypted) }
    /// The key fits no page of the file, or doesn't have 64 bytes.
    public static var wrongKey: Code { Code(wrapped: .wrongKey) }
    /// The key fits the file, but a required page doesn't have the bytes that Realm wrote.
    public static var damagedPage: Code { Code(wrapped: .damagedPage) }
    /// The contents of the file contradict each other.
    public static var damaged: Code { Code(wrapped: .damaged) }
    /// The file would decode to more than ``RealmFileLimits`` allow.
    public static var limitExceeded: Code { Code(wrapped: .limitExceeded) }
    /// A program has the file open with Realm.
    public static var inUse: Code { Code(wrapped: .inUse) }
    /// The file was written to while it was read.
    public static var changed: Code { Code(wrapped: .changed) }
    /// The file has no class of that name.
    public static var unknownClass: Code { Code(wrapped: .unknownClass) }
    /// The class has no property of that name or position.
    public static var unknownProperty: Code { Code(wrapped: .unknownProperty) }
    /// The property doesn't have the requested type.
    public static var wrongType: Code { Code(wrapped: .wrongType) }
    /// The cursor is before its first element, or after its last one.
    public static var noObject: Code { Code(wrapped: .noObject) }
  }
}

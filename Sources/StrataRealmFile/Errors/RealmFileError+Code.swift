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

    /// The system can't open or map the file, or it is no ordinary file.
    public static var cannotOpen: Code { Code(wrapped: .cannotOpen) }
    /// The file has no bytes.
    public static var empty: Code { Code(wrapped: .empty) }
    /// The file is something else.
    public static var notRealmFile: Code { Code(wrapped: .notRealmFile) }
    /// The end of the file is missing.
    public static var truncated: Code { Code(wrapped: .truncated) }
    /// The file has format 9 or an older one.
    public static var olderFormat: Code { Code(wrapped: .olderFormat) }
    /// The file has format 25 or a newer one, or an encoding of one.
    public static var newerFormat: Code { Code(wrapped: .newerFormat) }
    /// The file is encrypted, and there is no key.
    public static var encrypted: Code { Code(wrapped: .encrypted) }
    /// There is a key, and the file isn't encrypted.
    public static var notEncrypted: Code { Code(wrapped: .notEncrypted) }
    /// The key fits no page of the file, or it hasn't 64 bytes.
    public static var wrongKey: Code { Code(wrapped: .wrongKey) }
    /// The key fits the file, and a page that is needed has other bytes than Realm wrote.
    public static var damagedPage: Code { Code(wrapped: .damagedPage) }
    /// The file contradicts itself.
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
    /// The property has another type than the one that is asked for.
    public static var wrongType: Code { Code(wrapped: .wrongType) }
    /// The cursor is before its first element, or behind its last one.
    public static var noObject: Code { Code(wrapped: .noObject) }
  }
}

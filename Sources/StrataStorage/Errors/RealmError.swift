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

  /// What went wrong, where, and how to repair it.
  public var message: String

  /// The file that the failure is about, where there is one.
  public var fileURL: URL?

  /// The message for logs, where it must not contain values; nil when `message` contains none.
  private var discreetMessage: String?

  /// What a log may say: the message, without values of objects.
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
  /// Makes an error of a program's own: `throw Realm.Error(.fail)`.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - userInfo: The message as `NSLocalizedDescriptionKey`, the file's path as `NSFilePath`, and
  ///     the error below as `NSUnderlyingErrorKey`. Without a message it is the name of the code.
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

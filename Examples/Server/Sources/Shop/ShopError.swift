import Foundation
import Hummingbird
import Strata

/// The failure of a request: a status, a code for programs, and a sentence for people.
struct ShopError: HTTPResponseError, CustomStringConvertible {
  let status: HTTPResponse.Status
  let code: String
  let message: String
  var headers = HTTPFields()

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String, retryAfter: Int? = nil) {
    self.status = status
    self.code = code
    self.message = message
    if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
  }

  var description: String { "\(status.code) \(code): \(message)" }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    var response = try Answer(status, ["error": ["code": code, "message": message]]).response
    for field in headers { response.headers[field.name] = field.value }
    return response
  }
}

extension ShopError {
  /// The failure for a file at a later schema version than this program, or a replica at another
  /// one.
  static func outdated(_ name: TenantName) -> ShopError {
    ShopError(
      .serviceUnavailable, "other_version",
      "The file of '\(name)' is at another schema version than this server, which is at "
        + "\(ShopFile.schemaVersion): ask one of that version.", retryAfter: 1)
  }

  static func invalid(_ message: String) -> ShopError { ShopError(.badRequest, "invalid", message) }

  /// Translates an error of the library while a request is served.
  init(_ error: any Error) {
    switch error {
    case let error as ShopError: self = error
    case Realm.Error.outOfDiskSpace:
      self.init(.serviceUnavailable, "no_space", "The server has no room left.", retryAfter: 60)
    case Realm.Error.replicaBehind:
      self.init(
        .serviceUnavailable, "behind",
        "This replica doesn't have your newest write yet. Try again, or ask the primary.",
        retryAfter: 1)
    case Realm.Error.fileAccess:
      self.init(
        .serviceUnavailable, "busy",
        "Another program writes to the file, or it can't be reached. Try again.", retryAfter: 1)
    case is CancellationError:
      self.init(.serviceUnavailable, "ended", "The request was ended. Try again.", retryAfter: 1)
    case let error as HTTPError:
      self.init(error.status, "request", error.body ?? error.status.reasonPhrase)
    case let error as any HTTPResponseError:
      self.init(error.status, "request", error.status.reasonPhrase)
    default:
      self.init(
        .internalServerError, "internal", "The server can't do this now. It has logged why.")
    }
  }
}

/// The status of a response.
package enum ResponseStatus: Int, Sendable {
  case ok = 200
  case accepted = 202
  case seeOther = 303
  case badRequest = 400
  case unauthorized = 401
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case requestTimeout = 408
  case conflict = 409
  case lengthRequired = 411
  case contentTooLarge = 413
  case targetTooLong = 414
  case misdirected = 421
  case unprocessable = 422
  case headersTooLarge = 431
  case internalError = 500
  case unavailable = 503
  case insufficientStorage = 507

  /// The reason phrase in the head.
  var reason: String {
    switch self {
    case .ok: "OK"
    case .accepted: "Accepted"
    case .seeOther: "See Other"
    case .badRequest: "Bad Request"
    case .unauthorized: "Unauthorized"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .requestTimeout: "Request Timeout"
    case .conflict: "Conflict"
    case .lengthRequired: "Length Required"
    case .contentTooLarge: "Content Too Large"
    case .targetTooLong: "URI Too Long"
    case .misdirected: "Misdirected Request"
    case .unprocessable: "Unprocessable Content"
    case .headersTooLarge: "Request Header Fields Too Large"
    case .internalError: "Internal Server Error"
    case .unavailable: "Service Unavailable"
    case .insufficientStorage: "Insufficient Storage"
    }
  }
}

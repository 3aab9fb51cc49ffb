/// The error response to a request: a status, a message with the repair, and a code for the page.
///
/// ```swift
/// throw RequestFailure(.notFound, "noClass", "There is no class 'Dgo'. Look at the list of them.")
/// ```
package struct RequestFailure: Error, Hashable, Sendable {
  package var status: ResponseStatus
  /// A stable identifier, such as `conflict`, independent of the message.
  package var code: String
  /// The problem and its repair, as two sentences.
  package var message: String
  /// Additional members of the JSON, such as the column of a mistake in a condition.
  package var details: [JSONValue.Member]
  /// Whether the connection must close, because the start of the next request is unknown.
  var endsConnection = false

  package init(
    _ status: ResponseStatus, _ code: String, _ message: String, details: [JSONValue.Member] = []
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.details = details
  }

  /// The JSON for the page: `{"error":"sentence. repair.","code":"conflict"}`.
  package var json: JSONValue {
    .object([.init("error", .text(message)), .init("code", .text(code))] + details)
  }

  /// The failure of a value or a change that the schema doesn't allow.
  static func invalid(_ message: String) -> RequestFailure {
    RequestFailure(.unprocessable, "invalid", message)
  }
}

/// Mistakes in the head of a request, which close the connection.
extension RequestFailure {
  private static func ending(
    _ status: ResponseStatus, _ code: String, _ message: String
  ) -> RequestFailure {
    var failure = RequestFailure(status, code, message)
    failure.endsConnection = true
    return failure
  }

  static func malformed(_ message: String) -> RequestFailure {
    ending(.badRequest, "badRequest", message)
  }

  static let bareLineFeed = malformed(
    "A line of the request ends without a carriage return. End each with CR and LF.")

  static let bareCarriageReturn = malformed(
    "A line of the request has a carriage return inside. End each with CR and LF.")

  static let zeroByte = malformed("The head of the request has a zero byte. Leave it out.")

  static let noRequestLine = malformed(
    "The request doesn't begin with a method, a path and 'HTTP/1.1'. Send it as HTTP/1.1.")

  static let otherVersion = malformed(
    "The request is of another version than HTTP/1.1. Send it as HTTP/1.1.")

  static let otherTarget = malformed(
    "The address of the request is no path. Send a path that begins with '/', and encode spaces "
      + "and all that is not ASCII.")

  static let badEncoding = malformed(
    "The address has a '%' without two hexadecimal digits, or text that is not UTF-8. Encode it "
      + "again.")

  static let badHeader = malformed(
    "A header of the request is no 'Name: value' on one line. Send it as HTTP/1.1.")

  static let noHost = malformed("The request has no header 'Host'. Send it as HTTP/1.1.")

  static let transferEncoding = malformed(
    "The request has a header 'Transfer-Encoding'. Send the body with a 'Content-Length'.")

  static let badLength = malformed(
    "The header 'Content-Length' is no number of bytes. Send the number of bytes of the body.")

  static let bodyOfGet = malformed("A 'GET' has a body. Leave it out.")

  static func twice(header: String) -> RequestFailure {
    malformed("The header '\(header)' occurs twice. Send it once.")
  }

  static func twice(parameter: String) -> RequestFailure {
    malformed("The parameter '\(parameter)' occurs twice. Send it once.")
  }

  static func targetTooLong(_ limits: StudioLimits) -> RequestFailure {
    ending(
      .targetTooLong, "targetTooLong",
      "The address is longer than \(limits.targetBytes) bytes. Use a shorter condition.")
  }

  static func headTooLarge(_ limits: StudioLimits) -> RequestFailure {
    ending(
      .headersTooLarge, "headersTooLarge",
      "The head of the request has more than \(limits.headBytes) bytes or \(limits.headers) "
        + "headers. Send fewer, for example by deleting cookies of 127.0.0.1.")
  }

  static let lengthRequired = ending(
    .lengthRequired, "lengthRequired",
    "The request has no header 'Content-Length'. Send the number of bytes of the body.")

  static func bodyTooLarge(_ most: Int) -> RequestFailure {
    ending(
      .contentTooLarge, "contentTooLarge",
      "The body has more than \(most) bytes. Send it in parts.")
  }

  static let headTooSlow = ending(
    .requestTimeout, "requestTimeout",
    "The head of the request did not come in time. Send the request again.")

  static let bodyTooSlow = ending(
    .requestTimeout, "requestTimeout",
    "The body of the request did not come in time. Send the request again.")

  static func tooManyConnections(_ most: Int) -> RequestFailure {
    ending(
      .unavailable, "busy",
      "The studio has \(most) connections at work. Close some of its pages.")
  }
}

import StrataSchema

/// A request as a route receives it: its head, the variable parts of its path, and its body.
package struct Request: Sendable {
  package let head: RequestHead
  /// The variable parts of the path, by their names in the route.
  package let parameters: [String: String]
  package let body: RequestBody

  package init(_ head: RequestHead, parameters: [String: String] = [:], body: RequestBody = .none) {
    self.head = head
    self.parameters = parameters
    self.body = body
  }
}

/// The body of a request, as its route wanted it.
package enum RequestBody: Sendable, Hashable {
  case none
  case bytes([UInt8])
  /// A file that is deleted after the response is made.
  case file(path: String, byteCount: Int)
}

/// The kind of body that a route wants.
package enum RequestBodyKind: Sendable, Hashable {
  case none
  /// `application/json`, at most ``StudioLimits/jsonBytes`` long.
  case json
  /// `application/octet-stream`, at most ``StudioLimits/fileBytes`` long, written into a new file
  /// of this folder.
  case file(inFolder: String)

  /// The `Content-Type` that the request must have; nil for any.
  package var contentType: String? {
    switch self {
    case .none: nil
    case .json: "application/json"
    case .file: "application/octet-stream"
    }
  }
}

extension Request {
  /// A variable part of the path.
  ///
  /// - Precondition: The route has a part with that name.
  package func parameter(_ name: String) -> String {
    guard let value = parameters[name] else {
      preconditionFailure("the route of '\(head.target.path)' has no part ':\(name)'")
    }
    return value
  }

  /// A parameter of the query; nil if it is missing.
  package func query(_ name: String) -> String? { head.target.query[name] }

  /// An integer parameter of the query; nil if it is missing.
  ///
  /// - Throws: ``RequestFailure`` with status 400 if it is no integer, or out of range.
  package func integer(_ name: String, in range: ClosedRange<Int64>) throws(RequestFailure)
    -> Int64?
  {
    guard let text = query(name) else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw RequestFailure(
        .badRequest, "badParameter",
        "The parameter '\(name)' is no whole number from \(range.lowerBound) to "
          + "\(range.upperBound). Send such a number.")
    }
    return number
  }

  /// The body as JSON.
  ///
  /// - Throws: ``RequestFailure`` with status 400 and the position of the mistake.
  package func json() throws(RequestFailure) -> JSONValue {
    let bytes: [UInt8] = if case .bytes(let bytes) = body { bytes } else { [] }
    do {
      return try JSONReader.read(bytes)
    } catch {
      throw RequestFailure(
        .badRequest, "badJSON",
        "The body is no JSON: byte \(error.offset) should be \(error.expected). Repair it.")
    }
  }
}

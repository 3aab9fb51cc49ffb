extension Question {
  /// The query in a request: the class in the path, `where` and `sort` as parameters.
  ///
  /// - Throws: ``RequestFailure`` with status 400 for an invalid order.
  init(_ request: Request) throws(RequestFailure) {
    self.init(
      request.parameter("class"), where: request.query("where") ?? "",
      sort: try Self.sort(request.query("sort") ?? ""))
  }

  /// Parses sort keys such as `age,-name`, with percent-encoded names.
  static func sort(_ text: String) throws(RequestFailure) -> [SortKey] {
    var keys: [SortKey] = []
    for part in text.split(separator: ",") {
      var key = SortKey(marked: String(part))
      guard let path = PercentEncoding.decode(Array(key.path.utf8)[...], plusIsSpace: false),
        !path.isEmpty
      else {
        throw RequestFailure(
          .badRequest, "badParameter",
          "The parameter 'sort' is no list of names. Send names with commas between them.")
      }
      key.path = path
      keys.append(key)
    }
    return keys
  }
}

extension ObjectLink {
  /// The object in the path of a request.
  ///
  /// - Throws: ``RequestFailure`` with status 404 for an invalid identity.
  init(_ request: Request) throws(RequestFailure) {
    let (className, text) = (request.parameter("class"), request.parameter("id"))
    guard let identity = Int64(text) else {
      throw .gone("'\(PlainText.of(text))' is no identity of an object. Go back.")
    }
    self.init(className: className, identity: identity)
  }
}

extension PagePart {
  /// - Throws: ``RequestFailure`` with status 400 if more than one of the parameters is given.
  init(_ request: Request) throws(RequestFailure) {
    switch (request.query("after"), request.query("before"), request.query("from")) {
    case (nil, nil, nil): self = .start
    case (let key?, nil, nil): self = .after(key)
    case (nil, let key?, nil): self = .before(key)
    case (nil, nil, let key?): self = .from(key)
    default:
      throw RequestFailure(
        .badRequest, "badParameter",
        "A page begins at one place. Send only one of 'after', 'before' and 'from'.")
    }
  }
}

extension Request {
  /// The body as bytes, from memory or from an uploaded file.
  func bytes() throws -> [UInt8] {
    switch body {
    case .none: []
    case .bytes(let bytes): bytes
    case .file(let path, _): try UploadFile.bytes(path)
    }
  }

  /// The body as the input of an import. An uploaded file is read in pieces.
  var input: ImportInput {
    switch body {
    case .none: .bytes([])
    case .bytes(let bytes): .bytes(bytes)
    case .file(let path, _): .file(path: path)
    }
  }
}

extension Question {
  /// The question of a request: the class in its path, `where` and `sort` in its query.
  ///
  /// - Throws: ``RequestFailure`` with status 400 for an order that can't be read.
  init(_ request: Request) throws(RequestFailure) {
    self.init(
      request.parameter("class"), where: request.query("where") ?? "",
      sort: try Self.sort(request.query("sort") ?? ""))
  }

  /// The keys in a text such as `age,-name`, each name encoded as in an address.
  static func sort(_ text: String) throws(RequestFailure) -> [SortKey] {
    var keys: [SortKey] = []
    for part in text.split(separator: ",") {
      let isDescending = part.hasPrefix("-")
      let name = Array((isDescending ? part.dropFirst() : part).utf8)[...]
      guard let path = PercentEncoding.decode(name, plusIsSpace: false), !path.isEmpty else {
        throw RequestFailure(
          .badRequest, "badParameter",
          "The parameter 'sort' is no list of names. Send names with commas between them.")
      }
      keys.append(SortKey(path, ascending: !isDescending))
    }
    return keys
  }
}

extension ObjectLink {
  /// The object that the path of a request names.
  ///
  /// - Throws: ``RequestFailure`` with status 404 for what is no identity.
  init(_ request: Request) throws(RequestFailure) {
    let (className, text) = (request.parameter("class"), request.parameter("id"))
    guard let identity = Int64(text) else {
      throw .gone("'\(PlainText.of(text))' is no identity of an object. Go back.")
    }
    self.init(className: className, identity: identity)
  }
}

extension PagePart {
  /// - Throws: ``RequestFailure`` with status 400 for two places.
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
  /// The body as bytes, also one that was written into a file.
  ///
  /// - Throws: An error of Foundation for a file that can't be read.
  func bytes() throws -> [UInt8] {
    switch body {
    case .none: []
    case .bytes(let bytes): bytes
    case .file(let path, _): try UploadFile.bytes(path)
    }
  }

  /// The body, which is read piece by piece where it is a file.
  var input: ImportInput {
    switch body {
    case .none: .bytes([])
    case .bytes(let bytes): .bytes(bytes)
    case .file(let path, _): .file(path: path)
    }
  }
}

import StrataQuery

/// The routes of exports, which the browser saves as files.
package enum ExportRoutes {
  package static func all(_ file: StudioFile, _ gate: AccessGate) -> [Route] {
    [
      .post("/api/export") { request in
        let exporter = try Exporter(try request.json())
        // Checked now: an error of the download link would replace the page.
        try await file.reader.read { db, schema in try exporter.check(db, schema) }
        let path = gate.downloadPath { response(exporter, file) }
        return .json(["path": .text(path)])
      }
    ]
  }

  private static func response(_ exporter: Exporter, _ file: StudioFile) -> Response {
    .download(
      named: "\(PlainText.of(exporter.question.className)).\(exporter.format.rawValue)",
      type: exporter.format.contentType
    ) { stream in
      // Uses a reader of its own, because an export may take minutes.
      try await file.withShown { shown in
        let reader = FileReader(shown.configuration, name: "export")
        try await ExportStream(exporter: exporter, reader: reader).send(to: stream)
        await reader.close()
      }
    }
  }
}

extension Exporter {
  /// - Throws: ``RequestFailure`` with status 400 for an invalid request.
  fileprivate init(_ json: JSONValue) throws(RequestFailure) {
    guard let className = json["class"]?.text, let format = json["format"]?.text,
      let format = ObjectFormat(rawValue: format)
    else { throw .badExport }
    let sort = try Question.sort(json["sort"]?.text ?? "")
    let question = Question(className, where: json["where"]?.text ?? "", sort: sort)
    self.init(
      question, format, columns: try Self.list(json["columns"]) { $0.text },
      identities: try Self.list(json["ids"]) { $0.integer })
  }

  private static func list<Element>(
    _ json: JSONValue?, _ element: (JSONValue) -> Element?
  ) throws(RequestFailure) -> [Element]? {
    guard let json, json != .null else { return nil }
    guard let values = json.array else { throw .badExport }
    let elements = values.compactMap(element)
    guard elements.count == values.count else { throw .badExport }
    return elements
  }
}

extension RequestFailure {
  fileprivate static let badExport = RequestFailure(
    .badRequest, "badParameter",
    "The body is no request of an export. Send 'class', 'format' (csv, json or ndjson), and if "
      + "wanted 'where', 'sort', 'columns' and 'ids'.")
}

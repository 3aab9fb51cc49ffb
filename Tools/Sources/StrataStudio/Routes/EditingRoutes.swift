import StrataSchema

/// The routes that change the file, and the one that previews a deletion.
package enum EditingRoutes {
  package static func all(_ file: StudioFile) -> [Route] {
    // A read-only studio refuses these routes before it reads a body.
    let folder = file.uploads?.path ?? ""
    return [
      .post("/api/changes", writes: true) { request in
        let editor = try editor(file)
        let created = try await editor.change(try request.json())
        return await answer(
          file, editor, ["created": .object(created.map { .init($0, .int($1)) })])
      },
      .put("/api/data/:class/:id/:property", body: .file(inFolder: folder)) { request in
        let editor = try editor(file)
        let link = try ObjectLink(request)
        try await editor.setData(
          try request.bytes(), className: link.className, identity: link.identity,
          property: request.parameter("property"), was: try request.value("was"))
        return await answer(file, editor, ["created": [:]])
      },
      .post("/api/import/:class", body: .file(inFolder: folder), writes: true) { request in
        let editor = try editor(file)
        let wish = try ImportWish(request)
        let report = try await editor.importFile(request.input, wish)
        guard !wish.isDry else { return .json(report.json) }
        return await answer(file, editor, report.json)
      },
      .post("/api/undo", writes: true) { _ in
        let editor = try editor(file)
        return await answer(file, editor, ["done": .text(try await editor.undo())])
      },
      .post("/api/redo", writes: true) { _ in
        let editor = try editor(file)
        return await answer(file, editor, ["done": .text(try await editor.redo())])
      },
      .post("/api/state") { request in
        let body = try request.json()
        return .json(
          try await file.slowReader.read { db, schema in
            ["state": .text(try ChangeParser(schema).objects(body).text(schema, db))]
          })
      },
      .post("/api/effect") { request in
        let body = try request.json()
        return .json(
          try await file.slowReader.read(atMost: EffectReader.maxTime) { db, schema in
            try EffectReader(schema: schema, db: db).json(body)
          })
      },
    ]
  }

  private static func editor(_ file: StudioFile) throws -> FileEditor {
    guard let editor = file.editor else { throw RequestFailure.readOnly }
    return editor
  }

  /// The response to every change: the version with the change, and the numbers of undo and redo
  /// steps.
  private static func answer(
    _ file: StudioFile, _ editor: FileEditor, _ result: JSONValue
  ) async -> Response {
    await file.watch.poll()
    let version = await file.watch.version
    return .json(.joined(["version": .int(version)], result, await editor.state.json))
  }
}

extension ImportWish {
  /// Reads the options from the path and the query of a request.
  ///
  /// - Throws: ``RequestFailure`` with status 400 for an invalid parameter.
  init(_ request: Request) throws(RequestFailure) {
    let name = request.query("format")
    let format = name.flatMap { ObjectFormat(rawValue: $0) }
    guard format != nil || name == nil else {
      throw RequestFailure(
        .badRequest, "badParameter",
        "The parameter 'format' is none of 'csv', 'json' and 'ndjson'. Send one of them.")
    }
    self.init(request.parameter("class"), format)
    updates = request.query("update") == "true"
    isDry = request.query("dry") != "false"
    guard let members = try (request.value("mapping") ?? [:]).members else { throw .badMapping }
    for member in members { self.mapping.updateValue(member.value.text, forKey: member.name) }
  }
}

extension Request {
  /// The JSON in a parameter; nil if the parameter is missing.
  fileprivate func value(_ name: String) throws(RequestFailure) -> JSONValue? {
    guard let text = query(name) else { return nil }
    do throws(JSONProblem) {
      return try JSONReader.read(Array(text.utf8))
    } catch {
      throw RequestFailure(
        .badRequest, "badParameter", "The parameter '\(name)' is no JSON. Send a value of JSON.")
    }
  }
}

extension RequestFailure {
  fileprivate static let badMapping = RequestFailure(
    .badRequest, "badParameter",
    "The parameter 'mapping' isn't a JSON object. Send the properties by the names of columns.")
}

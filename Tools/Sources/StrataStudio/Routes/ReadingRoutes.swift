import Strata
import StrataQuery
import StrataSchema

/// The read-only routes: pages, objects, queries, and the file.
package enum ReadingRoutes {
  package static func all(_ file: StudioFile) -> [Route] {
    questions(file) + objects(file) + facts(file)
  }

  private static let rows: ClosedRange<Int64> = 1...400

  // MARK: Questions

  private static func questions(_ file: StudioFile) -> [Route] {
    [
      .get("/api/objects/:class") { request in
        let question = try Question(request)
        let limit = Int(try request.integer("limit", in: rows) ?? 100)
        if let ids = request.query("ids") { return try await objects(ids, of: question, file) }
        if let position = try request.integer("at", in: 0...Int64(Int32.max)) {
          return try await page(at: Int(position), question, limit, file)
        }
        return try await page(try PagePart(request), question, limit, file)
      },
      .get("/api/identities/:class") { request in
        let question = try Question(request)
        let from = Int(try request.integer("from", in: 0...Int64(Int32.max)) ?? 0)
        let to = Int(try request.integer("to", in: 0...Int64(Int32.max)) ?? 0)
        guard to - from < ChangeParser.maxObjects else {
          throw RequestFailure(
            .unprocessable, "tooLarge",
            "At most \(ChangeParser.maxObjects) objects can be selected. Narrow the query.")
        }
        let found = try await file.slowReader.read { db, schema in
          var batches = try IdentityBatches(question, schema, db, limit: to + 1)
          var found: [Int64] = []
          while let batch = try batches.next() { found += batch }
          return found.dropFirst(from)
        }
        return .json(["ids": .array(found.map { .int($0) })])
      },
      .get("/api/count/:class") { request in
        let question = try Question(request)
        let start = ContinuousClock.now
        let (count, more) = try await file.slowReader.count(
          question, all: request.query("all") == "true")
        return .json([
          "count": .int(count), "more": .bool(more), "milliseconds": .milliseconds(since: start),
        ])
      },
      .get("/api/explain/:class") { request in
        let question = try Question(request)
        return .json(
          try await file.reader.read { db, schema in try Explanation(question, schema, db).json })
      },
      .get("/api/complete/:class") { request in
        let question = try Question(request)
        let position = try request.integer("at", in: 0...1_000_000)
        return .json(
          try await file.reader.read { db, schema in
            try CompletionReader(schema: schema, db: db).json(
              question, at: position.map { Int($0) } ?? question.condition.utf16.count)
          })
      },
      .get("/api/column/:class/:property") { request in
        let question = try Question(request)
        let name = request.parameter("property")
        return .json(
          try await file.slowReader.read { db, schema in
            try ColumnReader(schema: schema, db: db).json(
              schema.property(name, of: question.className), of: question)
          })
      },
    ]
  }

  private static func page(
    _ place: PagePart, _ question: Question, _ limit: Int, _ file: StudioFile
  ) async throws -> Response {
    let version = await file.watch.version
    let start = ContinuousClock.now
    let list = await file.lists.ready(question, version: version)
    let answer = try await file.reader.read { db, schema in
      let reader = try PageReader(question, schema, db)
      if let list, let answer = try reader.json(place, in: list, limit: limit) { return answer }
      return try reader.json(place, limit: limit)
    }
    // Without an index, every page would sort all objects again. So the whole list is sorted once,
    // while the user looks at the first page.
    if list == nil, ContinuousClock.now - start > .milliseconds(300), place == .start {
      _ = try await file.lists.state(question, version: version, waiting: .zero)
    }
    guard case .from(let key) = place else {
      return .json(answer.json(version: version, since: start))
    }
    var moved = answer
    moved.position = try await file.reader.position(of: key, question)
    return .json(moved.json(version: version, since: start))
  }

  private static func page(
    at position: Int, _ question: Question, _ limit: Int, _ file: StudioFile
  ) async throws -> Response {
    let version = await file.watch.version
    let start = ContinuousClock.now
    let direct = try await file.reader.read { db, schema -> PageAnswer? in
      let reader = try PageReader(question, schema, db)
      guard let found = try reader.identity(at: position) else { return nil }
      let answer = try reader.json(from: found.first, position: found.position, limit: limit)
      return answer.isEmpty ? try reader.lastPage(limit: limit) : answer
    }
    if let direct {
      return .json(direct.json(version: version, since: start))
    }
    switch try await file.lists.state(question, version: version, waiting: .milliseconds(300)) {
    case .making(let found):
      let total = try await file.slowReader.approximateCount(of: question.className)
      let progress = Double(found) / Double(max(1, total))
      return .json(["progress": .number(min(1, progress))], .accepted)
    case .ready(let list):
      let first = min(position, max(0, list.count - limit))
      let answer = try await file.reader.read { db, schema in
        try PageReader(question, schema, db)
          .json(Array(list[first..<min(list.count, first + limit)]), position: first)
      }
      return .json(answer.json(version: version, since: start))
    }
  }

  private static func objects(
    _ ids: String, of question: Question, _ file: StudioFile
  ) async throws -> Response {
    let texts = ids.split(separator: ",")
    let identities = texts.compactMap { Int64($0) }
    guard identities.count == texts.count, identities.count <= 200 else {
      throw RequestFailure(
        .badRequest, "badParameter",
        "The parameter 'ids' is no list of at most 200 identities. Send such a list.")
    }
    let version = await file.watch.version
    let start = ContinuousClock.now
    let answer = try await file.reader.read { db, schema in
      let table = try schema.objectSchema(question.className)
      return PageAnswer(
        columns: .texts(table.properties.map(\.name)),
        rows: try RowReader(schema, db, table).json(identities), first: .null, last: .null,
        position: 0)
    }
    return .json(answer.json(version: version, since: start))
  }

  // MARK: Objects

  private static func objects(_ file: StudioFile) -> [Route] {
    [
      .get("/api/object/:class/:id") { request in
        let link = try ObjectLink(request)
        let version = await file.watch.version
        let object = try await file.reader.read { db, schema in
          try ObjectReader(schema: schema, db: db).json(link)
        }
        return .json(.joined(["version": .int(version)], object))
      },
      .get("/api/incoming/:class/:id/:from/:property") { request in
        let link = try ObjectLink(request)
        let (from, property) = (request.parameter("from"), request.parameter("property"))
        let after = try request.integer("after", in: .min ... .max)
        let limit = Int(try request.integer("limit", in: rows) ?? 100)
        return .json(
          try await file.reader.read { db, schema in
            let found = try IncomingReader(schema: schema, db: db).links(
              from: from, property, to: link, after: after, limit: limit)
            return ["links": found.list, "last": .optional(found.last) { .text("\($0)") }]
          })
      },
      .get("/api/collection/:class/:id/:property") { request in
        let link = try ObjectLink(request)
        let name = request.parameter("property")
        let after = try request.integer("after", in: 0 ... .max)
        let limit = Int(try request.integer("limit", in: rows) ?? 100)
        let version = await file.watch.version
        return .json(
          try await file.reader.read { db, schema in
            let property = try schema.property(name, of: link.className)
            guard let table = CollectionTable(className: link.className, property: property) else {
              throw RequestFailure.gone(
                "'\(PlainText.of(link.className)).\(PlainText.of(name))' is no collection. Load the "
                  + "page again.")
            }
            let reader = ElementReader(schema, db, table)
            let elements = try reader.json(of: link.identity, after: after, limit: limit)
            return [
              "version": .int(version), "count": .int(try reader.count(of: link.identity)),
              "elements": elements.list, "last": .optional(elements.last) { .text("\($0)") },
            ]
          })
      },
      .get("/api/data/:class/:id/:property") { request in
        let link = try ObjectLink(request)
        let name = request.parameter("property")
        let position = try request.integer("at", in: 0 ... .max)
        let (bytes, isText) = try await file.reader.read { db, schema in
          try DataReader(schema: schema, db: db).bytes(of: name, link, at: position)
        }
        var response = Response.file(
          bytes, type: isText ? "text/plain; charset=utf-8" : "application/octet-stream")
        response.headers.append(Header("Content-Disposition", "attachment"))
        return response
      },
    ]
  }

  // MARK: The file

  private static func facts(_ file: StudioFile) -> [Route] {
    [
      .get("/api/counts") { _ in
        let version = await file.watch.version
        let counts = try await file.slowReader.counts(version: version)
        return .json([
          "counts": .object(
            counts.map { .init($0.className, .optional($0.count) { .int($0) }) }),
          "version": .int(version),
        ])
      },
      .get("/api/sizes") { _ in
        .json([
          "sizes": try await file.slowReader.read { db, schema in
            try SizeReader(schema: schema, db: db).json()
          }
        ])
      },
      .get("/api/settings") { _ in .json(["settings": .sorted(file.settings.all) { .text($0) }]) },
      .post("/api/settings") { request in
        let body = try request.json()
        guard let name = body["name"]?.text, let value = body["value"],
          value == .null || value.text != nil
        else {
          throw RequestFailure(
            .badRequest, "badParameter",
            "The body has no 'name' with a 'value'. Send both as texts.")
        }
        try file.settings.set(name, value.text)
        return .json([:])
      },
      .get("/api/events") { request in
        let events = request.query("now") == nil ? await file.watch.events() : nil
        let news = await file.watch.missedEvents
        let version = await file.watch.version
        return .events { stream in
          let hello: JSONValue = ["version": .int(version), "writable": .bool(file.isWritable)]
          if let events { return try await stream.send(events, after: hello) }
          // Another page owns the stream; this one only receives the current state.
          for (name, data) in [("hello", hello)] + news.map(\.wire) {
            try await stream.event(name, data)
          }
        }
      },
    ]
  }
}

extension ResponseStream {
  /// The interval of comments that keep the connection alive.
  private static let pause = Duration.seconds(15)

  /// Sends a greeting, and then events until there are no more, or the page disconnects.
  fileprivate func send(_ events: AsyncStream<FileEvent>, after hello: JSONValue) async throws {
    try await event("hello", hello)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for await event in events {
          let (name, data) = event.wire
          try await self.event(name, data)
        }
      }
      group.addTask {
        while true {
          try await Task.sleep(for: Self.pause)
          try await write(": still here\n\n")
        }
      }
      // The first task ends when the events end, or when the page has disconnected.
      try await group.next()
      group.cancelAll()
    }
  }
}

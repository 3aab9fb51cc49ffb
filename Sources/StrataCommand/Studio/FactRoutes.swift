import Foundation
import Strata
import StrataStudio
import Synchronization

/// The routes of the studio that say what the other commands say: the file, its history, what is
/// wrong with it, and its diagram.
enum FactRoutes {
  /// - Parameters:
  ///   - shown: The path as the user wrote it.
  ///   - converted: The copy of a file of Realm, which `input` is then.
  static func all(
    _ input: InputFile, _ file: StudioFile, shown: String, converted: ConvertedFile?
  ) -> [Route] {
    [
      .get("/api/file") { _ in
        try await file.reload()
        return .json(try await facts(input, file, shown, converted))
      },
      .get("/api/changed") { _ in
        // What isn't about one object: classes and properties that are left out.
        let others = converted?.report.findings.listed.filter { $0.objectKey == nil } ?? []
        return .json([
          "values": converted?.origin.changed.list ?? [],
          "others": .texts(others.map(\.description)),
        ])
      },
      .get("/api/versions") { _ in
        .json(
          [
            "versions": JSONValue(HistoryReport(path: input.path, try input.inspection().history))[
              "versions"] ?? []
          ])
      },
      .get("/api/problems") { _ in
        .events { stream in try await problems(input, stream) }
      },
      .get("/api/diagram.svg") { _ in
        let diagram = SchemaDiagram(try input.schemaDocument())
        return .file(Array(diagram.svg(isStyled: false).utf8), type: "image/svg+xml")
      },
    ]
  }

  private static func facts(
    _ input: InputFile, _ file: StudioFile, _ shown: String, _ converted: ConvertedFile?
  ) async throws -> JSONValue {
    let inspection = try input.inspection()
    let document = SchemaDocument(
      path: input.path, version: inspection.schemaVersion, schema: inspection.schema)
    let state = await file.editor?.state ?? FileEditor.State()
    return .object(
      [
        .init("file", .text(URL(fileURLWithPath: shown).lastPathComponent)),
        .init("kind", converted == nil ? "strata" : "realm"),
        .init("changedValues", .int(converted?.report.findings.count ?? 0)),
        .init("schemaVersion", .optional(inspection.schemaVersion) { .unsigned($0) }),
        .init("bytes", .int(inspection.fileSize)), .init("logBytes", .int(inspection.logSize)),
        .init("unusedBytes", .int(inspection.unusedSize)),
        .init("writable", .bool(file.isWritable)),
        .init("zone", .text(TimeZone.current.identifier)),
        .init(
          "classes",
          .array(document.schema.objectSchema.map { JSONValue($0, kind: document.kind(of: $0)) })),
        .init("otherTables", .texts(inspection.otherTables)),
      ] + state.json)
  }

  /// Looks at the whole file on a thread of its own, and sends how far it is and what is wrong. It
  /// ends with the page that asked.
  private static func problems(_ input: InputFile, _ stream: ResponseStream) async throws {
    let configuration = input.configuration
    let (steps, continuation) = AsyncStream<Realm.FileCheckProgress>.makeStream()
    let isEnded = Atomic<Bool>(false)
    async let found = withCheckedThrowingContinuation { result in
      DispatchQueue.global().async {
        result.resume(
          with: Result {
            defer { continuation.finish() }
            return try Realm.problems(for: configuration) { step in
              if isEnded.load(ordering: .relaxed) { throw CancellationError() }
              continuation.yield(step)
            }
          })
      }
    }
    do {
      for await step in steps {
        try await stream.event(
          "progress",
          [
            "what": .text(step.subject), "done": .int(step.completedSteps),
            "of": .int(step.totalSteps),
          ])
      }
    } catch {
      isEnded.store(true, ordering: .relaxed)
      throw error
    }
    let report = CheckReport(path: input.path, problems: try await found)
    for problem in JSONValue(report)["problems"]?.array ?? [] {
      try await stream.event("problem", problem)
    }
    try await stream.event("done", ["count": .int(report.problems.count)])
  }
}

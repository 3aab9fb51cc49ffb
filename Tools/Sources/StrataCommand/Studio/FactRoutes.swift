import Foundation
import Strata
import StrataStudio
import Synchronization

/// The routes of the studio that correspond to other commands: the facts about the file, its
/// history, its problems, and its diagram.
enum FactRoutes {
  /// - Parameter given: The file that the user has named, with its key.
  static func all(_ file: StudioFile, _ given: InputFile) -> [Route] {
    [
      .get("/api/file") { _ in
        try await file.reload()
        return try await file.withShown { .json(try await facts(file, given, $0)) }
      },
      .post("/api/copy") { _ in
        try await file.copyAgain()
        return .json([:])
      },
      .get("/api/changed") { _ in
        await file.withShown {
          .json([
            "values": $0.origin?.changed.list ?? [], "others": .texts($0.origin?.others ?? []),
          ])
        }
      },
      .get("/api/versions") { _ in
        try await file.withShown {
          let input = try input(given, $0)
          let history = HistoryReport(path: input.path, try input.inspection().history)
          return .json(["versions": JSONValue(history)["versions"] ?? []])
        }
      },
      .get("/api/problems") { _ in
        .events { stream in
          try await file.withShown { try await problems(try input(given, $0), stream) }
        }
      },
      .get("/api/diagram.svg") { _ in
        try await file.withShown {
          let diagram = SchemaDiagram(try input(given, $0).schemaDocument())
          return .file(Array(diagram.svg(isStyled: false).utf8), type: "image/svg+xml")
        }
      },
    ]
  }

  /// The database to inspect: the file itself, or its converted copy.
  private static func input(
    _ given: InputFile, _ shown: StudioFile.ShownFile
  ) throws -> InputFile {
    shown.origin == nil ? given : try InputFile(shown.url.path)
  }

  private static func facts(
    _ file: StudioFile, _ given: InputFile, _ shown: StudioFile.ShownFile
  ) async throws -> JSONValue {
    let input = try input(given, shown)
    let inspection = try input.inspection()
    let document = SchemaDocument(
      path: input.path, version: inspection.schemaVersion, schema: inspection.schema)
    let state = await file.editor?.state ?? FileEditor.State()
    return .joined(
      [
        "file": .text(URL(fileURLWithPath: given.path).lastPathComponent),
        "kind": shown.origin == nil ? "strata" : "realm",
        "changedValues": .int(shown.origin?.differences ?? 0),
        "schemaVersion": .optional(inspection.schemaVersion) { .unsigned($0) },
        "since": .optional(inspection.history.last) {
          .number($0.migratedAt.timeIntervalSince1970)
        },
        "bytes": .int(inspection.fileSize), "logBytes": .int(inspection.logSize),
        "unusedBytes": .int(inspection.unusedSize),
        "writable": .bool(file.isWritable),
        "zone": .text(TimeZone.current.identifier),
        "classes": document.classes,
        "otherTables": .texts(inspection.otherTables),
      ], state.json)
  }

  /// Checks the whole file on a thread of its own, and streams the progress and the problems. The
  /// check is cancelled when the page closes the connection.
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

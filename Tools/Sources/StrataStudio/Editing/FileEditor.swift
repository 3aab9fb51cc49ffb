import Foundation
package import Strata
import StrataSchema
import StrataStorage

/// An editor of a file for the page. Each request is one transaction.
///
/// ```swift
/// let answer = try await editor.change(["changes": [["set": ["class": "Dog", "id": 5, …]]]])
/// let undone = try await editor.undo()
/// ```
/// The editor copies the file before its first change, unless the user declined. Each request is
/// one undo step, and steps are kept until the studio ends. Changes of other programs are never
/// overwritten.
package actor FileEditor {
  private let executor = QueueExecutor("strata.studio.editor")
  private let configuration: Realm.Configuration
  private let makesBackup: Bool
  private let send: @Sendable (FileEvent) async -> Void
  private var opened: OpenedFile?
  private var history = EditHistory()
  private var identities = KnownIdentities()
  /// The copy that was made before the first change, relative to the folder of the file.
  private var backup: String?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - configuration: The configuration that opens the file for writing.
  ///   - send: Receives the progress of the copy.
  package init(
    _ configuration: Realm.Configuration, makesBackup: Bool,
    send: @escaping @Sendable (FileEvent) async -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.makesBackup = makesBackup
    self.send = send
  }

  private func use() async throws -> OpenedFile {
    if let opened { return opened }
    let made = try await OpenedFile(configuration, isolation: self)
    if let opened { return opened }
    opened = made
    return made
  }

  /// Closes the file until the next change.
  func letGo() { opened = nil }

  /// Closes the file and clears the history.
  package func close() {
    opened = nil
    history = EditHistory()
    identities = KnownIdentities()
  }

  // MARK: State

  /// The state of an editor: the numbers of undo and redo steps, and the copy.
  package struct State: Sendable, Hashable {
    package var undo = 0
    package var redo = 0
    package var backup: String?

    package init() {}

    package var json: JSONValue {
      ["undo": .int(undo), "redo": .int(redo), "backup": .optional(backup) { .text($0) }]
    }
  }

  package var state: State {
    var state = State()
    state.undo = history.undo.count
    state.redo = history.redo.count
    state.backup = backup
    return state
  }

  // MARK: Changing

  /// Applies the changes of a request.
  ///
  /// - Returns: The identities of the created objects, by their names in the request.
  /// - Throws: ``RequestFailure`` without changing anything. Its code is `conflict` if another
  ///   program has changed a value, `gone` for a missing object, `invalid` for a change that the
  ///   classes don't allow, and `room` without disk space for the copy.
  package func change(_ json: JSONValue) async throws -> [(name: String, identity: Int64)] {
    let opened = try await use()
    let changes = try ChangeParser(opened.schema).changes(json)
    return try perform(changes.edits, opened, seen: changes.seen)
      .map { ($0.key, $0.value.identity) }.sorted { $0.0 < $1.0 }
  }

  /// Sets a property to bytes.
  ///
  /// - Parameter was: The value that the page shows; nil to accept any value.
  package func setData(
    _ bytes: [UInt8], className: String, identity: Int64, property name: String,
    was: JSONValue? = nil
  ) async throws {
    let opened = try await use()
    let property = try opened.schema.property(name, of: className)
    let place = Place(
      object: ObjectLink(className: className, identity: identity), property: property)
    guard property.collection == nil, property.type == .data || property.type == .any else {
      throw RequestFailure.invalid(
        "\(place.name) holds no bytes. Choose a property of type 'data'.")
    }
    let type = property.type == .any ? PropertyType.data.rawValue : nil
    let value = NewValue.stored(_StoredElement(.blob(bytes), type: type))
    _ = try perform(
      [.set(place, was: was.map { .wire($0) } ?? .anything, to: value)], opened)
  }

  private func perform(
    _ edits: [Edit], _ opened: OpenedFile,
    seen: [(objects: ObjectsState, state: String)] = []
  ) throws -> [String: ObjectLink] {
    try makeBackupOnce()
    // Undo steps for more changes would take too much memory.
    let run = try apply(
      edits, opened, seen: seen, isUndoable: edits.count <= DeletionLimits.objects)
    let title = EditHistory.Step.title(of: edits)
    history.record(run.opposite.map { EditHistory.Step(title: title, edits: $0) })
    return run.created
  }

  private func apply(
    _ edits: [Edit], _ opened: OpenedFile,
    seen: [(objects: ObjectsState, state: String)] = [], isUndoable: Bool = true
  ) throws -> (created: [String: ObjectLink], opposite: [Edit]?) {
    var run = EditRun(realm: opened.realm, schema: opened.schema, identities: identities)
    run.isUndoable = isUndoable
    let opposite = try opened.realm.write {
      for (objects, state) in seen where try !run.isUnchanged(objects, since: state) {
        throw RequestFailure.changedObjects(objects)
      }
      return try run.apply(edits)
    }
    identities = run.identities
    return (run.created, run.isUndoable ? opposite : nil)
  }

  // MARK: Importing

  /// Imports a file in one transaction, or does a dry run.
  ///
  /// - Throws: ``RequestFailure`` with status 422 for an unreadable file and for an invalid
  ///   mapping, and `CancellationError`. Nothing is changed then. Problems of single objects are in
  ///   the report; the other objects are imported.
  package func importFile(
    _ input: ImportInput, _ wish: ImportWish
  ) async throws -> ImportReport {
    try await importFiles([ImportPart(input, into: wish.className)], wish)[0]
  }

  /// Imports files in one transaction, each into its class, or does a dry run. Links between
  /// objects of different files are resolved.
  package func importFiles(
    _ parts: [ImportPart], _ wish: ImportWish
  ) async throws -> [ImportReport] {
    let opened = try await use()
    var importer = try Importer(parts, wish, opened.schema)
    wish.willBegin()
    if !wish.isDry { try makeBackupOnce(wish.cancellation) }
    while true {
      var run = EditRun(realm: opened.realm, schema: opened.schema, identities: identities)
      var opposite: [Edit] = []
      do {
        try opened.realm.write {
          opposite = try importer.perform(&run)
          if wish.isDry { throw DryRun() }
        }
      } catch is DryRun {
        return importer.reports
      } catch is Importer.MistakesAtEnd {
        importer = try Importer(parts, wish, opened.schema, known: importer.known)
        continue
      } catch let refused as ClassImporter.NoProperty {
        guard parts.count == 1 else { throw RequestFailure.invalid(refused.message) }
        return [refused.report]
      } catch  where wish.cancellation?.isCancelled == true {
        throw CancellationError()
      }
      let reports = importer.reports
      recordImport(parts, reports, run, opposite)
      return reports
    }
  }

  private func recordImport(
    _ parts: [ImportPart], _ reports: [ImportReport], _ run: EditRun, _ opposite: [Edit]
  ) {
    let count = reports.reduce(0) { $0 + $1.ready }
    guard count > 0 else { return }
    identities = run.identities
    let what = parts.count == 1 ? PlainText.of(parts[0].className) : "objects"
    history.record(
      run.isUndoable ? EditHistory.Step(title: "Import \(count) \(what)", edits: opposite) : nil)
  }

  /// The error that rolls a dry run back.
  private struct DryRun: Error {}

  // MARK: Taking back

  /// Undoes the last step.
  ///
  /// - Returns: The title of the step.
  /// - Throws: ``RequestFailure`` with status 409, and the step stays: with code `nothing` if there
  ///   is no step, and otherwise as ``change(_:)`` does.
  package func undo() async throws -> String {
    try await make(\.undo, opposites: \.redo, "taken back")
  }

  /// Redoes the last step that was undone.
  package func redo() async throws -> String {
    try await make(\.redo, opposites: \.undo, "made again")
  }

  /// Makes the last step of a list. If its opposite can't be made, that list is cleared.
  private func make(
    _ steps: WritableKeyPath<EditHistory, [EditHistory.Step]>,
    opposites: WritableKeyPath<EditHistory, [EditHistory.Step]>, _ what: String
  ) async throws -> String {
    let opened = try await use()
    guard let step = history[keyPath: steps].last else { throw RequestFailure.nothing(what) }
    let opposite = try apply(step.edits, opened).opposite
    history[keyPath: steps].removeLast()
    history[keyPath: opposites] =
      opposite.map {
        history[keyPath: opposites] + [EditHistory.Step(title: step.title, edits: $0)]
      } ?? []
    return step.title
  }

  // MARK: The copy

  /// Copies the file before the first change.
  private func makeBackupOnce(_ cancellation: Cancellation? = nil) throws {
    guard makesBackup, backup == nil, let url = configuration.fileURL else { return }
    let (fractions, progress) = AsyncStream<Double>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let name = PlainText.of(url.lastPathComponent)
    let send = send
    Task {
      for await fraction in fractions {
        await send(.progress(what: "Copying \(name)", fraction: fraction))
      }
    }
    defer {
      progress.yield(1)
      progress.finish()
    }
    do {
      let version = try schemaVersionAtURL(url, encryptionKey: configuration.encryptionKey)
      let path = try Realm.newBackupPath(for: configuration, version, in: nil)
      let copy = URL(fileURLWithPath: path)
      try Realm.makeBackup(at: copy, for: configuration, cancellation) { progress.yield($0) }
      backup = "\(copy.deletingLastPathComponent().lastPathComponent)/\(copy.lastPathComponent)"
    } catch let error as Realm.Error {
      throw RequestFailure.noBackup(error)
    }
  }
}

extension RequestFailure {
  fileprivate static func nothing(_ what: String) -> RequestFailure {
    RequestFailure(
      .conflict, "nothing", "There is nothing that can be \(what). Change something first.")
  }

  private static let advice =
    "Nothing was changed: the file is copied before the first change, unless the studio is started "
    + "with '--no-backup'."

  fileprivate static func noBackup(_ error: Realm.Error) -> RequestFailure {
    error.code == .outOfDiskSpace
      ? RequestFailure(.insufficientStorage, "room", "\(error.message) \(advice)")
      : RequestFailure(
        .unavailable, "backup", "The file can't be copied: \(error.message) \(advice)")
  }
}

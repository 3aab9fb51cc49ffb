import Foundation

@testable import Strata

/// Runs a program in a migration and in the model of it, stage by stage, and compares.
final class ProgramRunner {
  typealias Ref = ModelFile.Ref
  typealias Value = ModelFile.Value

  /// The migration does not what the rules say.
  struct Mismatch: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }

  /// Ends a block that has failed as it must.
  struct Stop: Error {}
  /// The error that a closure throws.
  struct Thrown: Error {}

  let migration: Migration
  var model: ModelMigration
  /// A part of the message with which the migration must fail.
  private(set) var expectedFailure: String?
  var kept: [(object: DynamicObject, isNew: Bool)] = []
  private var path: [String] = []

  init(_ migration: Migration, _ model: ModelMigration) {
    self.migration = migration
    self.model = model
  }

  var context: MigrationContext { migration.context }

  func run(_ program: MigrationProgram) throws {
    do {
      for (index, statement) in program.statements.enumerated() {
        try located("statement \(index)") { try run(statement) }
      }
    } catch is Thrown {
      expectedFailure = "Thrown"
      throw Thrown()
    }
  }

  func located(_ place: String, _ body: () throws -> Void) rethrows {
    path.append(place)
    try body()
    path.removeLast()
  }

  func mismatch(_ text: String) -> Mismatch {
    Mismatch("\(text) [\(path.joined(separator: ", "))]")
  }

  private func run(_ statement: MigrationProgram.Statement) throws {
    switch statement {
    case .loop(let name, let stages, let catches):
      let depth = path.count
      do {
        try loop(name, stages)
      } catch is Thrown where catches {
        path.removeSubrange(depth...)
      }
    case .create(let name, let seed): try create(name, seed)
    case .deleteData(let name): try deleteData(name)
    case .rename(let name, let from, let to): try rename(name, from, to)
    case .embed(let name, let orphans, let shared):
      try expecting({ try model.embed(name, orphans: orphans, shared: shared) }) {
        migration.embedObjects(
          ofType: name, orphans: orphans ? .delete : .refuse, shared: shared ? .copy : .refuse)
      }
    case .kept(let number, let operation):
      try useKept(number) { try run(operation, old: $1 ? nil : $0, new: $1 ? $0 : nil) }
    }
  }

  // MARK: Loops

  func loop(_ name: String, _ stages: [MigrationProgram.RowStep]) throws {
    let planned = model.rowsToEnumerate(name)
    let isOld = model.old.tables[name] != nil
    let isNew = model.isVisible(name)
    var next = 0
    var index = 0
    func skipDeleted() {
      while next < planned.count, isNew,
        !model.new.exists(Ref(className: name, row: planned[next]))
      {
        next += 1
      }
    }
    try migration.enumerateObjects(ofType: name) { old, new in
      skipDeleted()
      guard next < planned.count else {
        throw mismatch("\(name) \(old?.rowID ?? new?.rowID ?? 0) should not come")
      }
      let row = planned[next]
      guard (old != nil) == isOld, (new != nil) == isNew, old?.rowID ?? row == row,
        new?.rowID ?? row == row
      else {
        throw mismatch("\(name) \(row) should come, not \(old?.rowID ?? new?.rowID ?? 0)")
      }
      next += 1
      try located("\(name) \(row)") {
        for (number, stage) in stages.enumerated() where stage.rows.contains(index) {
          try located("stage \(number)") { try run(stage.operation, old: old, new: new) }
        }
      }
      index += 1
    }
    skipDeleted()
    try checkSound()
    if next < planned.count { throw mismatch("\(name) \(planned[next]) does not come") }
  }

  // MARK: Changes of classes

  func deleteData(_ name: String) throws {
    let expected = model.deleteData(name)
    let result = migration.deleteData(forType: name)
    try checkSound()
    if result != expected { throw mismatch("deleteData returns \(result)") }
  }

  func rename(_ name: String, _ from: String, _ to: String) throws {
    try expecting({ try model.rename(name, from: from, to: to) }) {
      migration.renameProperty(onType: name, from: from, to: to)
    }
  }

  // MARK: Failures

  /// Does something that may have to fail.
  func expecting(_ rule: () throws -> Void, _ body: () -> Void) throws {
    do {
      try rule()
    } catch let failure as ModelMigration.Failure {
      body()
      expectedFailure = failure.text
      if context.status.isSound { throw mismatch("should fail with '\(failure.text)'") }
      throw Stop()
    }
    body()
    try checkSound()
  }

  func checkSound() throws {
    if !context.status.isSound { throw mismatch("fails: \(context.status.error?.message ?? "?")") }
  }

  func expectFailure(_ text: String) throws -> Never {
    expectedFailure = text
    if context.status.isSound { throw mismatch("should fail with '\(text)'") }
    throw Stop()
  }

  // MARK: Objects

  func useKept(_ number: Int, _ body: (DynamicObject, _ isNew: Bool) throws -> Void) throws {
    guard !kept.isEmpty else { return }
    let (object, isNew) = kept[number % kept.count]
    if isNew, !model.new.exists(ref(object)) { return }
    try located("kept \(object.table.className) \(object.rowID)") { try body(object, isNew) }
  }

  func ref(_ object: DynamicObject) -> Ref {
    Ref(className: object.table.className, row: object.rowID)
  }

  /// Another instance for a row of the new side.
  func handle(_ ref: Ref) -> DynamicObject? {
    context.newTable(ref.className).map { DynamicObject($0, row: ref.row) }
  }
}

import StrataSchema
import TestKit
import Testing

@testable import Strata

/// The decision of an opening, without a file.
@Suite("The decision on opening")
struct OpenDecisionTests {
  static let person = schema("Person", ["name"])
  static let more = Schema(person.objectSchema + schema("Dog", ["name"]).objectSchema)
  static let changed = schema("Person", ["name", "email"])

  static func schema(_ className: String, _ properties: [String]) -> Schema {
    Schema([
      ObjectSchema(
        className: className, properties: properties.map { Property(name: $0, type: .string) })
    ])
  }

  enum Mode { case normal, readOnly, startsOver }

  struct Row: CustomStringConvertible, Sendable {
    var file: (version: UInt64, schema: Schema)?
    var version: UInt64
    var target: Schema
    var mode = Mode.normal
    var expected: Outcome

    var description: String {
      "\(file.map { "\($0.version)" } ?? "no file") → \(version), \(mode), \(expected)"
    }
  }

  enum Outcome: Equatable {
    case decision(OpenDecision)
    case error(Realm.Error.Code)
  }

  static let rows = [
    Row(version: 0, target: person, expected: .decision(.create)),
    Row(version: 9, target: person, mode: .startsOver, expected: .decision(.create)),
    Row(version: 0, target: person, mode: .readOnly, expected: .error(.invalidDatabase)),
    Row(file: (1, person), version: 1, target: person, expected: .decision(.nothing)),
    Row(file: (1, more), version: 1, target: person, expected: .decision(.nothing)),
    Row(file: (1, person), version: 1, target: more, expected: .decision(.applyFreeChanges)),
    Row(file: (1, person), version: 1, target: changed, expected: .error(.schemaMismatch)),
    Row(file: (1, changed), version: 1, target: person, expected: .error(.schemaMismatch)),
    Row(file: (1, person), version: 2, target: person, expected: .decision(.migrate)),
    Row(file: (1, person), version: 5, target: changed, expected: .decision(.migrate)),
    Row(file: (2, person), version: 1, target: person, expected: .error(.fail)),
    Row(
      file: (1, person), version: 1, target: more, mode: .readOnly, expected: .decision(.nothing)),
    Row(
      file: (1, changed), version: 1, target: person, mode: .readOnly, expected: .decision(.nothing)
    ),
    Row(file: (1, person), version: 1, target: changed, mode: .readOnly, expected: .error(.fail)),
    Row(file: (1, person), version: 2, target: person, mode: .readOnly, expected: .error(.fail)),
    Row(
      file: (1, person), version: 1, target: more, mode: .startsOver,
      expected: .decision(.applyFreeChanges)),
    Row(
      file: (1, person), version: 1, target: changed, mode: .startsOver,
      expected: .decision(.startOver)),
    Row(
      file: (1, person), version: 2, target: person, mode: .startsOver,
      expected: .decision(.startOver)),
    Row(
      file: (2, person), version: 1, target: person, mode: .startsOver,
      expected: .decision(.startOver)),
    Row(
      file: (1, schema("person", ["name"])), version: 2, target: person, expected: .error(.fail)),
  ]

  @Test(arguments: rows)
  func `The decision on opening follows from the versions and the schemas`(_ row: Row) throws {
    let configuration = try ResolvedConfiguration(
      Realm.Configuration(
        inMemoryIdentifier: "x", readOnly: row.mode == .readOnly, schemaVersion: row.version,
        deleteRealmIfMigrationNeeded: row.mode == .startsOver))
    let outcome: Outcome
    do {
      outcome = .decision(
        try OpenDecision.decide(
          current: row.file, target: row.target, configuration: configuration))
    } catch {
      outcome = .error(error.code)
    }
    expectEqual(outcome, row.expected)
  }
}

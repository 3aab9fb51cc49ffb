import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Parcels1: VersionedSchema {
  static let version = 1
  class Parcel: Object {
    @Persisted var name = ""
    @Persisted var label: Label?
    @Persisted var others: List<Label>
  }
  class Label: EmbeddedObject {
    @Persisted var text = ""
    @Persisted var stamps: List<Stamp>
  }
  class Stamp: EmbeddedObject {
    @Persisted var cents = 0
  }
}

/// Labels leave together with what held them.
private enum Parcels2: VersionedSchema {
  static let version = 2
  class Parcel: Object {
    @Persisted var name = ""
  }
}

/// Some labels stay, in a property that goes later.
private enum Half2: VersionedSchema {
  static let version = 2
  static let objectTypes: [ObjectBase.Type] = [
    Parcel.self, Parcels1.Label.self, Parcels1.Stamp.self,
  ]
  class Parcel: Object {
    @Persisted var name = ""
    @Persisted var label: Parcels1.Label?
  }
}

private enum Parcels3: VersionedSchema {
  static let version = 3
  static let objectTypes = Half2.objectTypes
}

/// Embedded objects whose class is removed together with the property that held them.
@Suite struct LeavingEmbeddedTests {
  private let folder: TestFolder

  private static let stamps = [["cents": 10], ["cents": 20]]

  init() throws {
    folder = try TestFolder()
    try folder.write(Parcels1.self) { realm in
      realm.create(
        Parcels1.Parcel.self,
        value: [
          "name": "big", "label": ["text": "a", "stamps": Self.stamps],
          "others": [["text": "b", "stamps": Self.stamps], ["text": "c"]],
        ])
    }
  }

  /// Migrates a file; returns what the report says of each class.
  private func lines(_ configuration: Realm.Configuration) throws -> [String] {
    try configuration.reports().flatMap(\.rows).flatMap(\.self)
  }

  private func rows(_ folder: TestFolder) throws -> [Int?] {
    try folder.sql { db in
      try ["Label", "Stamp"].map {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)")
      }
    }
  }

  @Test(arguments: [SchemaMigrationPlan.Commits.together, .eachStage], [false, true])
  func `Embedded objects are removed with the class that held them`(
    commits: SchemaMigrationPlan.Commits, withClosure: Bool
  ) throws {
    let second =
      withClosure
      ? MigrationStage.version(Parcels2.self) { _ in } : MigrationStage.version(Parcels2.self)
    let stages: [MigrationStage] = [
      .version(Parcels1.self), second.dropping("Parcel.label", "Parcel.others"),
      .version(Parcels3.self),
    ]
    let configuration = folder.plan(SchemaMigrationPlan(stages, commits: commits))
    try expectEqual(lines(configuration), ["Label: 3 + 0 - 3 - 0 = 0", "Stamp: 4 + 0 - 4 - 0 = 0"])
    try expectEqual(Realm.problems(for: configuration).map(\.description), [])
    try expectEqual(rows(folder), [0, 0])
  }

  @Test(arguments: [false, true])
  func `Embedded objects are removed with the class in a single block, too`(withBlock: Bool) throws
  {
    let block: MigrationBlock = { _, _ in }
    try folder.open([Parcels2.Parcel.self], version: 2, withBlock ? block : nil) { _ in }
    try expectEqual(rows(folder), [0, 0])
  }

  @Test func `Embedded objects that another property holds stay`() throws {
    let stages: [MigrationStage] = [
      .version(Parcels1.self), .version(Half2.self).dropping("Parcel.others"),
    ]
    let configuration = folder.plan(SchemaMigrationPlan(stages))
    try expectEqual(lines(configuration), ["Label: 3 + 0 - 2 - 0 = 1", "Stamp: 4 + 0 - 2 - 0 = 2"])
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.objects(Half2.Parcel.self).first?.label?.stamps.map(\.cents), [10, 20])
  }

  @Test func `Embedded objects are lost only when that is declared`() throws {
    let before = try folder.dump()
    let plan: SchemaMigrationPlan = [.version(Parcels1.self), .version(Parcels2.self)]
    expectError(containing: "'.dropping(\"Parcel.label\", \"Parcel.others\")'") {
      try Realm(configuration: folder.plan(plan))
    }
    try expectEqual(folder.dump(), before)
  }
}

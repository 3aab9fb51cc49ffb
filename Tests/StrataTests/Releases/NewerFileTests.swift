import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Newer files as replicas and health see them, and newer files whose records are damaged.
@Suite struct NewerFileTests {
  @Test func `A reader of a replica goes on with a newer version`() throws {
    let replica = try TestReplica()
    try replica.write(OldRelease.types, version: 1) { realm in
      realm.create(OldRelease.Person.self, value: ["id": 1, "name": "Ann"])
    }
    try replica.publish()
    var configuration = replica.configuration(OldRelease.types, version: 1)
    configuration.opensNewerVersions = true
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.objects(OldRelease.Person.self).map(\.name), ["Ann"])
    try replica.write(TwoReleasesTests.Additive.types, version: 2) { realm in
      realm.create(TwoReleasesTests.Additive.Person.self, value: ["id": 2, "name": "Bob"])
    }
    try replica.publish()
    realm.refresh()
    expectEqual(realm.objects(OldRelease.Person.self).map(\.name), ["Ann", "Bob"])
    // A version that it can't show isn't shown, and the state of the replica says why.
    try replica.primary.open(
      ChangedReleasesTests.Renamed.types, version: 3, ChangedReleasesTests.Renamed.block
    ) { _ in }
    try replica.publish()
    realm.refresh()
    expectEqual(realm.objects(OldRelease.Person.self).count, 2)
    expectEqual(realm.replicaState?.problem?.code, .newerVersion)
    let again = try Realm(configuration: configuration)
    expectEqual(again.objects(OldRelease.Person.self).count, 2)
  }

  @Test func `A realm with a newer file is healthy`() async throws {
    let releases = try Releases(TwoReleasesTests.Additive.types)
    try releases.makeOld()
    let realm = try Realm(configuration: releases.old)
    try releases.runNew()
    let health = await Realm.health(of: releases.old)
    expectTrue(health == nil, "\(String(describing: health))")
    try OldWork.read(realm)
    try releases.folder.execute(
      "UPDATE strata_schema_version SET oldest_writer = 2 WHERE version = 2")
    let after = await Realm.health(of: releases.old)
    expectEqual(after?.description, "Another process has brought the file to schema version 2.")
  }

  @Test(arguments: [false, true])
  func `A running program notices limits that are raised at the same version`(
    _ startsAgain: Bool
  ) throws {
    let releases = try Releases(TwoReleasesTests.Additive.types)
    try releases.makeOld()
    if startsAgain { try releases.runNew() }
    let realm = try Realm(configuration: releases.old)
    if !startsAgain { try releases.runNew() }
    try OldWork.change(realm)
    for (limit, verb) in [("oldest_writer", "written to"), ("oldest_reader", "read")] {
      try releases.folder.execute(
        "UPDATE strata_schema_version SET \(limit) = 2 WHERE version = 2")
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { realm.create(OldRelease.Person.self, value: ["id": 3]) }
      }
      expectEqual(error?.code, .newerVersion)
      let text = "- Version 2 may be \(verb) by programs from version 2 on."
      expectTrue(error?.message.contains(text) == true, "\(error?.message ?? "")")
      try releases.folder.execute(
        "UPDATE strata_schema_version SET \(limit) = NULL WHERE version = 2")
      try OldWork.change(realm)
    }
  }

  /// Records that another program has damaged, and a part of the error.
  static let lies = [
    (
      #"'{"renamed": {"classes": {"Person": "X", "Home": "X"}, "properties": {}}}'"#,
      "give two names the same new name"
    ),
    (
      #"'{"renamed": {"classes": {}, "properties": {"Person": {"name": "email"}}}}'"#,
      "give two names the same new name"
    ),
    (#"'{"renamed": 5}'"#, "can't be read"),
    (#"'{"retired": [{"class": "Person"}]}'"#, "can't be read"),
    (#"'{"perObject": {"Person": ["level"]}}'"#, "no default in the file"),
  ]

  @Test(arguments: lies)
  func `Damaged records are an error, and end no process`(_ json: String, _ text: String) throws {
    let releases = try Releases(TwoReleasesTests.Additive.types)
    try releases.makeOld()
    try releases.runNew()
    try releases.folder.execute(
      "UPDATE strata_schema_version SET schema = json_patch(schema, \(json)) WHERE version = 2")
    let error = #expect(throws: Realm.Error.self) {
      let realm = try Realm(configuration: releases.old)
      try realm.write { realm.create(OldRelease.Person.self, value: ["id": 3]) }
    }
    expectTrue(error?.message.contains(text) == true, "\(error?.message ?? "")")
    try releases.folder.execute(
      """
      UPDATE strata_schema_version
      SET schema = json_remove(schema, '$.renamed', '$.retired', '$.perObject')
      """)
    try OldWork.insert(Realm(configuration: releases.old))
  }

  @Test func `Rows that neither release touches stay as they are, byte for byte`() throws {
    let releases = try Releases(TwoReleasesTests.Additive.types) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        new?["nickname"] = old?["name"]
        new?["value"] = old?["age"]
      }
    }
    func rows() throws -> [String] {
      try releases.folder.sql { db in
        try ["Person", "Person_tags", "Home", "Club"].flatMap { table in
          let columns = try db.columns(in: table).map { "quote(\"\($0.name)\")" }
          let row = columns.joined(separator: " || ',' || ")
          return try String.fetchAll(db, sql: "SELECT \(row) FROM \(table) ORDER BY 1")
        }
      }
    }
    try releases.makeOld()
    try releases.runNew()
    let before = try rows()
    for _ in 1...3 {
      try OldWork.insert(Realm(configuration: releases.old))
      expectEqual(try rows(), before)
      try releases.runNew { realm in
        try realm.write {
          realm.create(TwoReleasesTests.Additive.Person.self, value: ["id": 60])
          realm.delete(realm.objects(TwoReleasesTests.Additive.Person.self).where { $0.id == 60 })
        }
      }
      expectEqual(try rows(), before)
    }
  }
}

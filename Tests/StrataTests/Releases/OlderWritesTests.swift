import Foundation
import GRDB
import StrataTestKit
import Synchronization
import TestKit
import Testing

@testable import Strata

/// Objects that an old release writes to a file of the new one.
@Suite struct OlderWritesTests {
  private typealias New = TwoReleasesTests.Additive

  /// Returns the names of the objects that the new release is asked to complete.
  private func adopted(_ releases: Releases) throws -> [String] {
    let names = Mutex<[String]>([])
    releases.changeNew = { configuration in
      configuration.adoptsOlderWrites = { migration, version in
        expectEqual(version, 1)
        migration.enumerateObjects(ofType: "Person") { old, new in
          let name = old?["name"] as? String ?? ""
          names.withLock { $0.append(name) }
          new?["nickname"] = "\(name)?"
        }
      }
    }
    try releases.runNew()
    releases.changeNew = { _ in }
    return names.withLock { $0 }
  }

  @Test(.needsHook, arguments: [false, true])
  func `New and changed objects are visited once`(_ hasHistory: Bool) throws {
    let releases = try Releases(New.types)
    if hasHistory { Circumstance.history.apply(to: releases) }
    try releases.makeOld()
    try releases.runNew()
    expectEqual(try adopted(releases), [])
    do {
      let realm = try Realm(configuration: releases.old)
      try realm.write {
        for id in 10..<15 {
          realm.create(OldRelease.Person.self, value: ["id": id, "name": "N\(id)"])
        }
        realm.delete(realm.objects(OldRelease.Person.self).where { $0.id == 12 })
      }
      // The new release adds an object in between.
      try releases.runNew { new in
        try new.write { new.create(New.Person.self, value: ["id": 20, "name": "Own"]) }
      }
      try realm.write { realm.create(OldRelease.Person.self, value: ["id": 21, "name": "N21"]) }
      try realm.write { realm.objects(OldRelease.Person.self).where { $0.id == 2 }.first?.age = 1 }
    }
    expectEqual(try adopted(releases), ["Bob", "N10", "N11", "N13", "N14", "N21"])
    try releases.runNew { realm in
      expectEqual(realm.object(ofType: New.Person.self, forPrimaryKey: 14)?.nickname, "N14?")
      expectEqual(realm.object(ofType: New.Person.self, forPrimaryKey: 20)?.nickname, nil)
    }
    expectEqual(try adopted(releases), [])
  }

  @Test(.needsHook) func `Changes of collections count, and changes that SQLite makes`() throws {
    let releases = try Releases(New.types)
    try releases.makeOld()
    try releases.runNew()
    try {
      let realm = try Realm(configuration: releases.old)
      try realm.write {
        realm.object(ofType: OldRelease.Person.self, forPrimaryKey: 1)?.tags.append("z")
      }
    }()
    expectEqual(try adopted(releases), ["Ann"])
    try {
      let realm = try Realm(configuration: releases.old)
      try realm.write {
        // SQLite itself sets the links to the deleted object to nil.
        let ann = realm.object(ofType: OldRelease.Person.self, forPrimaryKey: 1)
        if let ann { realm.delete(ann) }
      }
    }()
    expectEqual(try adopted(releases), ["Bob"])
  }

  @Test(.needsHook) func `A failing closure changes nothing, and is called again`() throws {
    struct Failure: Error {}
    let releases = try Releases(New.types)
    try releases.makeOld()
    try releases.runNew()
    try {
      let realm = try Realm(configuration: releases.old)
      try realm.write { realm.create(OldRelease.Person.self, value: ["id": 3, "name": "Eve"]) }
    }()
    releases.changeNew = { configuration in
      configuration.adoptsOlderWrites = { migration, _ in
        migration.enumerateObjects(ofType: "Person") { _, new in new?["nickname"] = "lost" }
        throw Failure()
      }
    }
    #expect(throws: Failure.self) { try releases.runNew() }
    releases.changeNew = { configuration in
      configuration.adoptsOlderWrites = { migration, _ in
        migration.renameProperty(onType: "Person", from: "kind", to: "other")
      }
    }
    #expect(throws: Realm.Error.self) { try releases.runNew() }
    expectEqual(
      try releases.folder.number("SELECT count(*) FROM Person WHERE nickname = 'lost'"), 0)
    expectEqual(try adopted(releases), ["Eve"])
  }

  @Test func `A class whose rows aren't known is visited from the least identity on`() throws {
    let releases = try Releases(New.types)
    try releases.makeOld()
    try releases.runNew()
    try releases.folder.sql { db in
      try db.execute(
        sql: "INSERT INTO Person (_id, id, name) VALUES (-5, 5, 'Low'), (0, 6, 'Zero')")
      try OlderWrites.add(nil, of: "Person", version: 1, db)
    }
    expectEqual(try adopted(releases), ["Low", "Zero", "Ann", "Bob"])
  }

  @Test func `Many ranges become one`() throws {
    let folder = try TestFolder()
    try folder.sql { db in
      for row in stride(from: Int64(1), through: 4_000, by: 2) {
        try OlderWrites.add([row], of: "Person", version: 1, db)
      }
      try OlderWrites.add([1, 2, 3], of: "Dog", version: 2, db)
      try OlderWrites.add([4, 5, 9], of: "Dog", version: 1, db)
      try OlderWrites.add([4], of: "Dog", version: 3, db)
      let count = "SELECT count(*) FROM strata_older_writes WHERE class = 'Person'"
      expectTrue(try Int.fetchOne(db, sql: count)! <= 1_000)
      let all =
        "SELECT min(first) || '-' || max(last) FROM strata_older_writes WHERE class = 'Person'"
      expectEqual(try String.fetchOne(db, sql: all), "1-3999")
      expectEqual(
        try String.fetchAll(
          db,
          sql:
            "SELECT first || '-' || last || ' v' || version FROM strata_older_writes WHERE class = 'Dog'"
        ),
        ["1-5 v1", "9-9 v1"])
      expectEqual(try OlderWrites.oldestVersion(db), 1)
    }
  }
}

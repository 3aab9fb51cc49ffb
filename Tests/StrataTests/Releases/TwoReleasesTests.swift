import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// The ways in which an old release meets a file of the new one.
enum Meeting: CaseIterable {
  /// The new release migrates the file while the old one has it open.
  case migratedWhileOpen
  /// The old release is started again after the migration.
  case startedAgain
  /// The new release has made the file, with the objects.
  case madeByNew

  /// Brings the file to the new version, and calls a closure with a realm of the old release.
  func meet(
    _ releases: Releases, makeNew: (Realm) throws -> Void, _ body: (Realm) throws -> Void
  ) throws {
    switch self {
    case .migratedWhileOpen:
      try releases.makeOld()
      let realm = try Realm(configuration: releases.old)
      try OldWork.read(realm)
      try OldWork.change(realm)
      try releases.runNew()
      try body(realm)
    case .startedAgain:
      try releases.makeOld()
      try releases.runNew()
      try body(try Realm(configuration: releases.old))
    case .madeByNew:
      try releases.runNew(makeNew)
      try body(try Realm(configuration: releases.old))
    }
  }
}

/// The settings under which it happens.
enum Circumstance: CaseIterable {
  case plain, history, observed, othersClasses, encrypted

  func apply(to releases: Releases) {
    releases.change = { configuration in
      switch self {
      case .plain, .observed: break
      case .history: configuration.history = .init(author: "test")
      case .othersClasses: configuration.dynamicClasses = .others
      case .encrypted: configuration.encryptionKey = Data(repeating: 7, count: 64)
      }
    }
    // The check of the folder's files has no key.
    if self == .encrypted { releases.folder.isDamaged = true }
  }

  /// The settings under which other programs can read the file.
  static var readable: [Circumstance] { allCases.filter { $0 != .encrypted } }

}

@Suite struct TwoReleasesTests {
  /// A new release whose changes an old one doesn't notice.
  enum Additive {
    final class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted(indexed: true) var name = ""
      @Persisted var age = 7
      @Persisted var level = 3
      @Persisted var ratio = 0.5
      @Persisted var kind = "new"
      @Persisted var data = Data([1])
      @Persisted var email: String?
      @Persisted var nickname: String?
      @Persisted var tags: List<String>
      @Persisted var numbers: MutableSet<Int>
      @Persisted var notes: Map<String, String>
      @Persisted var friend: Person?
      @Persisted var home: Home?
      @Persisted var work: Home?
      @Persisted var value: AnyRealmValue
    }

    final class Home: EmbeddedObject {
      @Persisted var street = ""
      @Persisted var city = "Rome"
    }

    final class Club: Object {
      @Persisted var members: List<Person>
      @Persisted var homes: List<Home>
    }

    static let types: [ObjectBase.Type] = [Person.self, Home.self, Club.self]

    static func make(_ realm: Realm) throws {
      try realm.write {
        let ann = realm.create(
          Person.self,
          value: [
            "id": 1, "name": "Ann", "age": 40, "tags": ["a", "b"], "home": ["street": "High"],
          ])
        realm.create(Person.self, value: ["id": 2, "name": "Bob", "friend": ann])
      }
    }
  }

  @Test(arguments: Meeting.allCases, Circumstance.readable)
  func `Additions leave the old release all rights`(
    _ meeting: Meeting, _ circumstance: Circumstance
  ) throws {
    let releases = try Releases(Additive.types) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        new?["nickname"] = "\(old?["name"] as? String ?? "")!"
      }
    }
    circumstance.apply(to: releases)
    try meeting.meet(releases, makeNew: Additive.make) { realm in
      var heard = 0
      let token =
        circumstance == .observed
        ? realm.objects(OldRelease.Person.self).observe { _ in heard += 1 } : nil
      defer { token?.invalidate() }
      try OldWork.read(realm)
      try OldWork.change(realm)
      try OldWork.insert(realm)
      try realm.write { realm.create(OldRelease.Person.self, value: ["id": 9, "name": "Eve"]) }
      try releases.runNew { new in
        let eve = try #require(new.object(ofType: Additive.Person.self, forPrimaryKey: 9))
        expectEqual(eve.level, 3)
        expectEqual(eve.ratio, 0.5)
        expectEqual(eve.kind, "new")
        expectEqual(eve.data, Data([1]))
        expectEqual(eve.nickname, nil)
        expectEqual(eve.numbers.count, 0)
        expectEqual(eve.notes.count, 0)
        expectEqual(eve.value, .none)
        if meeting != .madeByNew {
          let ann = try #require(new.object(ofType: Additive.Person.self, forPrimaryKey: 1))
          expectEqual(ann.nickname, "Ann!")
        }
        try new.write {
          let club = new.create(Additive.Club.self)
          club.members.append(eve)
          eve.value = .object(eve)
          eve.numbers.insert(objectsIn: [1, 2])
        }
      }
      // The old release deletes an object to which objects that it doesn't know link.
      try realm.write { realm.delete(realm.objects(OldRelease.Person.self).where { $0.id == 9 }) }
      try releases.runNew { new in
        expectEqual(new.objects(Additive.Club.self).first?.members.count, 0)
      }
      if circumstance == .history {
        let transactions = try realm.history(after: nil)
        expectTrue(transactions.contains { !$0.changes.isEmpty })
      }
    }
  }

  /// A new release with a default that differs for each object.
  enum PerObject {
    final class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = ""
      @Persisted var age = 7
      @Persisted var email: String?
      @Persisted var tags: List<String>
      @Persisted var friend: Person?
      @Persisted var home: Home?
      @Persisted var token = UUID()
      @Persisted var madeAt = Date()
      @Persisted var code: String = "c\(Int.random(in: 0...(.max)))"
    }

    final class Home: EmbeddedObject {
      @Persisted var street = ""
    }

    static let types: [ObjectBase.Type] = [Person.self, Home.self]
  }

  @Test(arguments: Meeting.allCases)
  func `Defaults of each object refuse insertions, and name the property`(_ meeting: Meeting) throws
  {
    let releases = try Releases(PerObject.types)
    try meeting.meet(releases) { realm in
      try realm.write {
        let ann = realm.create(
          PerObject.Person.self,
          value: [
            "id": 1, "name": "Ann", "age": 40, "tags": ["a", "b"], "home": ["street": "High"],
          ])
        realm.create(PerObject.Person.self, value: ["id": 2, "name": "Bob", "friend": ann])
      }
    } _: { realm in
      try OldWork.read(realm)
      try OldWork.change(realm)
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { realm.create(OldRelease.Person.self, value: ["id": 3]) }
      }
      expectEqual(error?.code, .newerVersion)
      let refused = meeting == .madeByNew ? ["code"] : ["token", "madeAt", "code"]
      let reasons = refused.map {
        "\n- Property 'Person.\($0)' has been added in version 2, is required, and has no default in the "
          + "file that is right for each new object."
      }
      expectEqual(
        error?.message,
        "An object of 'Person' can't be added by this program of version 1: the file is at schema version 2."
          + reasons.joined()
          + "\nAdd it with a release of version 2, or let that release give the property a default "
          + "that is the same for all objects.")
      try OldWork.read(realm)
      // Embedded objects of the class's other properties can be added.
      try realm.write {
        realm.object(ofType: OldRelease.Person.self, forPrimaryKey: 2)?.home = OldRelease.Home()
      }
    }
  }

  @Test func `SQLite gives new rows a UUID, an ObjectId and the time`() throws {
    final class Made: Object {
      @Persisted var name = ""
      @Persisted var uuid = UUID()
      @Persisted var bare: UUID
      @Persisted var objectId: ObjectId
      @Persisted var date = Date()
      @Persisted var later = Date(timeIntervalSinceNow: 3_600)
    }
    let folder = try TestFolder()
    try folder.open([Made.self]) { _ in }
    try folder.execute(
      "INSERT INTO Made (name, later) VALUES ('a', '2020-01-01 00:00:00.000000000'), "
        + "('b', '2020-01-01 00:00:00.000000000')")
    try folder.open([Made.self]) { realm in
      let made = Array(realm.objects(Made.self))
      expectEqual(Set(made.flatMap { [$0.uuid, $0.bare] }).count, 4)
      expectEqual(Set(made.map(\.objectId)).count, 2)
      for object in made {
        expectEqual(object.uuid.uuidString.utf8.count, 36)
        expectTrue(abs(object.date.timeIntervalSinceNow) < 3_600)
        expectTrue(abs(object.objectId.timestamp.timeIntervalSinceNow) < 3_600)
      }
    }
    #expect(throws: (any Error).self) { try folder.execute("INSERT INTO Made (name) VALUES ('c')") }
  }

  @Test func `Defaults are values of SQLite, exact and per row`() throws {
    final class Plain: Object {
      @Persisted var name = "it's"
      @Persisted var float: Float = 0.1
      @Persisted var double = -1.23456
      @Persisted var decimal: Decimal128 = "1.10"
      @Persisted var data = Data([1, 255])
      @Persisted var flag = true
      @Persisted var optional: Int? = 5
    }
    let folder = try TestFolder()
    try folder.open([Plain.self]) { _ in }
    try folder.execute("INSERT INTO Plain DEFAULT VALUES")
    try folder.open([Plain.self]) { realm in
      let plain = try #require(realm.objects(Plain.self).first)
      expectEqual(plain.name, "it's")
      expectEqual(plain.float, 0.1)
      expectEqual(plain.double, -1.23456)
      expectEqual(plain.decimal, "1.10")
      expectEqual(plain.data, Data([1, 255]))
      expectEqual(plain.flag, true)
      expectEqual(plain.optional, nil)
      expectEqual(realm.objects(Plain.self).where { $0.float == 0.1 }.count, 1)
    }
  }

  @Test func `A rebuild keeps the expression by which another program's column has its value`()
    throws
  {
    enum Before {
      final class Person: Object {
        @Persisted var name = ""
        @Persisted var note = "a unique check"
      }
    }
    final class Person: Object {
      @Persisted var name = 1
      @Persisted var note = "a unique check"
    }
    let folder = try TestFolder()
    try folder.write([Before.Person.self]) { realm in
      realm.create(Before.Person.self, value: ["name": "Ann"])
    }
    try folder.execute("ALTER TABLE Person ADD COLUMN other INTEGER DEFAULT 1")
    try folder.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'DEFAULT 1', 'DEFAULT (1 + 1)') WHERE name = 'Person';
      PRAGMA writable_schema = RESET;
      """)
    try folder.open([Person.self], version: 1) { _ in }
    try folder.execute("INSERT INTO Person (name) VALUES (3)")
    expectEqual(try folder.number("SELECT other FROM Person WHERE name = 3"), 2)
  }
}

/// Two releases on an encrypted file.
@Suite(.enabled(if: Realm.canEncrypt)) struct EncryptedReleasesTests {
  @Test(arguments: Meeting.allCases)
  func `Additions leave the old release all rights on an encrypted file`(
    _ meeting: Meeting
  ) throws {
    let releases = try Releases(TwoReleasesTests.Additive.types)
    Circumstance.encrypted.apply(to: releases)
    try meeting.meet(releases, makeNew: TwoReleasesTests.Additive.make) { realm in
      try OldWork.read(realm)
      try OldWork.change(realm)
      try OldWork.insert(realm)
    }
  }
}

import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Changes besides additions, as an old release meets them.
@Suite struct ChangedReleasesTests {
  /// Properties and a class with other names.
  enum Renamed {
    final class Human: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var fullName = ""
      @Persisted var years = 7
      @Persisted var email: String?
      @Persisted var labels: List<String>
      @Persisted var friend: Human?
      @Persisted var home: Home?
      @Persisted var any: AnyRealmValue
    }

    final class Home: EmbeddedObject {
      @Persisted var street = ""
    }

    final class Club: Object {
      @Persisted var members: List<Human>
    }

    static let types: [ObjectBase.Type] = [Human.self, Home.self, Club.self]

    static let block: MigrationBlock = { migration, _ in
      migration.renameClass(from: "Person", to: "Human")
      migration.renameProperty(onType: "Human", from: "name", to: "fullName")
      migration.renameProperty(onType: "Human", from: "age", to: "years")
      migration.renameProperty(onType: "Human", from: "tags", to: "labels")
    }
  }

  @Test(arguments: Circumstance.readable)
  func `Renamed classes and properties are found after opening again`(
    _ circumstance: Circumstance
  ) throws {
    let releases = try Releases(Renamed.types, Renamed.block)
    circumstance.apply(to: releases)
    try releases.makeOld()
    try releases.runNew()
    do {
      let realm = try Realm(configuration: releases.old)
      try OldWork.read(realm)
      try OldWork.change(realm)
      try OldWork.insert(realm)
      try realm.write { realm.create(OldRelease.Person.self, value: ["id": 9, "name": "Eve"]) }
      expectEqual(realm.dynamicObjects("Person").count, 3)
      expectEqual(realm.object(ofType: OldRelease.Person.self, forPrimaryKey: 9)?.name, "Eve")
      var changes: [String] = []
      let eve = try #require(realm.object(ofType: OldRelease.Person.self, forPrimaryKey: 9))
      let token = eve.observe { change in
        if case .change(_, let properties) = change { changes += properties.map(\.name) }
      }
      defer { token.invalidate() }
      try realm.write { eve.age = 12 }
      realm.refresh()
      expectEqual(changes, ["age"])
      expectEqual(realm.objects(OldRelease.Person.self).where { $0.friend == eve }.count, 0)
      if circumstance == .othersClasses {
        expectEqual(realm.dynamicObjects("Club").count, 0)
        try realm.write { realm.dynamicCreate("Club", value: ["members": [eve]]) }
        let club = try #require(realm.dynamicObjects("Club").first)
        expectEqual(club.dynamicList("members").count, 1)
      }
    }
    try releases.beside(releases.new) { realm in
      let eve = try #require(realm.object(ofType: Renamed.Human.self, forPrimaryKey: 9))
      expectEqual(eve.fullName, "Eve")
      expectEqual(eve.years, 12)
      try realm.write { eve.any = .object(eve) }
    }
    try releases.folder.sql { db in
      let text = try String.fetchOne(
        db, sql: "SELECT schema FROM strata_schema_version WHERE version = 2")
      expectTrue(
        text?.contains(#""renamed":{"classes":{"Person":"Human"},"properties":{"Human":{"#) == true,
        "\(text ?? "")")
    }
  }

  @Test func `A running program must open the file again after a rename`() throws {
    let releases = try Releases(Renamed.types, Renamed.block)
    try releases.makeOld()
    try {
      let realm = try Realm(configuration: releases.old)
      try OldWork.read(realm)
      try releases.runNew()
      expectError(
        """
        Realm at path '\(releases.folder.file.path)' is at schema version 2 now, in which names have \
        changed since this program of version 1 opened it:
        - Class 'Person' is 'Human' now.
        - Property 'Person.age' is 'Human.years' now.
        - Property 'Person.name' is 'Human.fullName' now.
        - Property 'Person.tags' is 'Human.labels' now.
        Close the realm and open it again.
        """, code: .newerVersion
      ) {
        try realm.write { realm.create(OldRelease.Person.self, value: ["id": 3]) }
      }
    }()
    let realm = try Realm(configuration: releases.old)
    try OldWork.insert(realm)
  }

  /// A required property became optional, and an optional one required.
  enum Nullable {
    final class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name: String?
      @Persisted var age: Int?
      @Persisted var email = "none"
      @Persisted var tags: List<String>
      @Persisted var friend: Person?
      @Persisted var home: Home?
    }

    final class Home: EmbeddedObject {
      @Persisted var street = ""
    }

    static let types: [ObjectBase.Type] = [Person.self, Home.self]
  }

  @Test(arguments: [false, true])
  func `Nil reads as the default, and can't be set where it is no longer allowed`(
    _ wasRunning: Bool
  ) throws {
    let releases = try Releases(Nullable.types)
    try releases.makeOld()
    let running = wasRunning ? try Realm(configuration: releases.old) : nil
    if let running { try OldWork.read(running) }
    try releases.runNew { realm in
      try realm.write {
        realm.create(
          Nullable.Person.self, value: ["id": 3, "name": nil, "age": nil] as [String: Any?])
      }
    }
    let realm = try running ?? Realm(configuration: releases.old)
    realm.refresh()
    let third = try #require(realm.object(ofType: OldRelease.Person.self, forPrimaryKey: 3))
    expectEqual(third.age, 7)
    expectEqual(third.name, "")
    expectEqual(third.email, "none")
    try realm.write {
      third.age = 9
      third.email = "a"
    }
    expectError(
      "'Person.email' of the object with _id 3 can't be nil: the file is at schema version 2, which "
        + "requires a value. Set one.", code: .newerVersion
    ) {
      try realm.write { third.email = nil }
    }
    expectError(code: .newerVersion) {
      try realm.write { realm.create(OldRelease.Person.self, value: ["id": 4]) }
    }
    try realm.write { realm.create(OldRelease.Person.self, value: ["id": 4, "email": "b"]) }
    expectEqual(realm.objects(OldRelease.Person.self).count, 4)
  }

  /// A change that an old release can't cope with, and the reasons that its error lists.
  struct Refusal: CustomTestStringConvertible, Sendable {
    let types: [ObjectBase.Type]
    let reasons: [String]
    var testDescription: String { reasons.joined(separator: " ") }

    init(_ types: [ObjectBase.Type], _ reasons: String...) {
      self.types = types
      self.reasons = reasons
    }
  }

  enum OtherType {
    final class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = 1
      @Persisted var age = 7
      @Persisted var email: List<String>
      @Persisted var tags: MutableSet<String>
      @Persisted var friend: Home?
      @Persisted var home: Person?
    }
    final class Home: Object { @Persisted var street = "" }
  }

  enum OtherKey {
    final class Person: Object {
      @Persisted var id = 0
      @Persisted(primaryKey: true) var name = ""
      @Persisted var age = 7
      @Persisted var email: String?
      @Persisted var tags: List<String?>
      @Persisted var friend: Person?
      @Persisted var home: Home?
    }
    final class Home: EmbeddedObject {
      @Persisted var street = ""
    }
  }

  enum Gone {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var tags: List<String>
      @Persisted var friend: Person?
    }
  }

  static let refusals = [
    Refusal(
      [OtherType.Person.self, OtherType.Home.self],
      "Property 'Person.name' has been changed from 'string' to 'int' in version 2.",
      "Property 'Person.email' has been changed from 'string' to 'array<string>' in version 2.",
      "Property 'Person.tags' has been changed from 'array<string>' to 'set<string>' in version 2.",
      "Property 'Person.friend' has been changed from '<Person>' to '<Home>' in version 2.",
      "Property 'Person.home' has been changed from '<Home>' to '<Person>' in version 2.",
      "Class 'Home' has been changed from Embedded to TopLevel in version 2."),
    Refusal(
      [OtherKey.Person.self, OtherKey.Home.self],
      "Property 'Person.tags' has been made optional in version 2.",
      "Primary Key for class 'Person' has changed from 'id' to 'name' in version 2."),
    Refusal(
      [Gone.Person.self],
      "Property 'Person.id' has been removed in version 2.",
      "Property 'Person.age' has been removed in version 2.",
      "Property 'Person.email' has been removed in version 2.",
      "Property 'Person.home' has been removed in version 2.",
      "Primary Key for class 'Person' has been removed in version 2."),
  ]

  @Test(arguments: refusals, Meeting.allCases)
  func `Everything else is refused, with all reasons at once`(
    _ refusal: Refusal, _ meeting: Meeting
  ) throws {
    let releases = try Releases(refusal.types) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in
        if refusal.types.first == OtherKey.Person.self { new?["name"] = UUID().uuidString }
      }
    }
    var error: Realm.Error?
    do {
      try meeting.meet(releases, makeNew: { _ in }) { realm in try realm.write {} }
      Issue.record("Nothing is refused.")
    } catch let thrown as Realm.Error {
      error = thrown
    }
    expectEqual(error?.code, .newerVersion)
    let reasons = refusal.reasons
    let removed =
      meeting == .madeByNew && refusal.types.count == 1
      ? ["Class 'Home' has been removed in version 2."] : []
    expectEqual(
      error?.message,
      "Realm at path '\(releases.folder.file.path)' is at schema version 2, and this program of version 1 "
        + "can't open it:" + (removed + reasons).map { "\n- \($0)" }.joined()
        + "\nStart a release of version 2.")
    // The file is as the new release left it.
    try releases.runNew()
  }

  @Test func `Without the setting, everything is as before`() throws {
    let releases = try Releases(TwoReleasesTests.Additive.types)
    try releases.makeOld()
    try releases.runNew()
    releases.change = { $0.opensNewerVersions = false }
    expectError("Provided schema version 1 is less than last set version 2.", code: .fail) {
      try Realm(configuration: releases.old)
    }
    releases.change = {
      $0.opensNewerVersions = false
      $0.readOnly = true
    }
    expectError("Provided schema version 1 does not equal last set version 2.") {
      try Realm(configuration: releases.old)
    }
  }

  @Test func `A new release may forbid more than the classes do`() throws {
    let releases = try Releases(TwoReleasesTests.Additive.types)
    releases.changeNew = { $0.oldestWritingVersion = 2 }
    try releases.makeOld()
    try releases.runNew()
    expectError(
      "Realm at path '\(releases.folder.file.path)' is at schema version 2, and this program of version 1 "
        + "can't write to it:\n- Version 2 may be written to by programs from version 2 on.\n"
        + "Start a release of version 2. Or open the file with `readOnly`.", code: .newerVersion
    ) { try Realm(configuration: releases.old) }
    releases.change = { $0.readOnly = true }
    do {
      let realm = try Realm(configuration: releases.old)
      try OldWork.read(realm)
    }
    releases.change = { _ in }
    let limits = try releases.folder.sql { db in
      try Row.fetchOne(
        db, sql: "SELECT oldest_reader, oldest_writer FROM strata_schema_version WHERE version = 2")
    }
    expectEqual(limits?["oldest_reader"], nil as Int?)
    expectEqual(limits?["oldest_writer"], 2)
  }

  @Test func `A new release may forbid reading as well`() throws {
    let releases = try Releases(TwoReleasesTests.Additive.types)
    releases.changeNew = { $0.oldestReadingVersion = 2 }
    try releases.makeOld()
    try releases.runNew()
    releases.change = { $0.readOnly = true }
    let error = #expect(throws: Realm.Error.self) { try Realm(configuration: releases.old) }
    expectTrue(
      error?.message.contains("- Version 2 may be read by programs from version 2 on.") == true)
  }

  @Test(arguments: [SchemaMigrationPlan.Commits.together, .eachStage])
  func `The limits of a plan are those of its last version`(
    _ commits: SchemaMigrationPlan.Commits
  ) throws {
    enum First: VersionedSchema {
      static let version = 1
      static let objectTypes = OldRelease.types
    }
    enum Middle: VersionedSchema {
      static let version = 2
      static let objectTypes = OldRelease.types
    }
    enum Last: VersionedSchema {
      static let version = 3
      static let objectTypes = TwoReleasesTests.Additive.types
    }
    let releases = try Releases(OldRelease.types)
    try releases.makeOld()
    var configuration = Realm.Configuration(
      fileURL: releases.folder.file,
      migrationPlan: SchemaMigrationPlan(
        [
          .version(First.self), .version(Middle.self) { _ in }, .version(Last.self) { _ in },
        ], commits: commits))
    configuration.oldestReadingVersion = 1
    configuration.oldestWritingVersion = 3
    try releases.beside(configuration)
    let limits = try releases.folder.texts(
      """
      SELECT version || ': ' || ifnull(oldest_reader, '-') || ' ' || ifnull(oldest_writer, '-')
      FROM strata_schema_version ORDER BY version
      """)
    expectEqual(limits, ["1: - -", "2: - -", "3: 1 3"])
  }
}

import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Indexes of the elements of collections, in files that exist already and while they migrate.
@Suite struct IndexedCollectionTests {
  enum Plain {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var tags: MutableSet<String>
      @Persisted var scores: Map<String, Int>
    }
  }

  enum Indexed {
    class Person: Object {
      @Persisted var name = ""
      @Persisted(indexed: true) var tags: MutableSet<String>
      @Persisted(indexed: true) var scores: Map<String, Int>
    }
  }

  enum Optional {
    class Person: Object {
      @Persisted var name = ""
      @Persisted(indexed: true) var tags: MutableSet<String?>
      @Persisted var scores: Map<String, Int>
    }
  }

  enum Renamed {
    class Human: Object {
      @Persisted var name = ""
      @Persisted(indexed: true) var labels: MutableSet<String>
      @Persisted(indexed: true) var scores: Map<String, Int>
    }
  }

  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func makePlainFile() throws {
    try folder.write([Plain.Person.self]) { realm in
      realm.create(
        Plain.Person.self, value: ["name": "Ann", "tags": ["a", "b"], "scores": ["x": 1]])
      realm.create(Plain.Person.self, value: ["name": "Bob", "tags": ["b"]])
    }
  }

  private func indexes() throws -> [String] {
    try folder.texts(
      """
      SELECT sql FROM sqlite_schema WHERE type = 'index' AND name LIKE '%.elements' ORDER BY sql
      """)
  }

  private let both = [
    #"CREATE INDEX "Person_scores.elements" ON "Person_scores"("key", "value")"#,
    #"CREATE INDEX "Person_tags.elements" ON "Person_tags"("value")"#,
  ]

  @Test func `An index is added to a file with rows, and removed, without a new version`() throws {
    try makePlainFile()
    try expectEqual(indexes(), [])
    try folder.open([Indexed.Person.self]) { realm in
      let found = realm.objects(Indexed.Person.self).filter("ANY tags == 'b' AND scores['x'] == 1")
      expectEqual(found.map(\.name), ["Ann"])
      try realm.write {
        realm.create(Indexed.Person.self, value: ["name": "Cem", "tags": ["a"]])
      }
      expectEqual(realm.objects(Indexed.Person.self).where { $0.tags.contains("a") }.count, 2)
      expectEqual(realm.objects(Indexed.Person.self).filter("scores['x'] == 1").count, 1)
      expectEqual(realm.objects(Indexed.Person.self).filter("scores['x'] == nil").count, 2)
    }
    try expectEqual(indexes(), both)
    try expectEqual(Realm.problems(for: folder.configuration([])), [])
    try folder.open([Plain.Person.self]) { realm in
      expectEqual(realm.objects(Plain.Person.self).filter("ANY tags == 'b'").count, 2)
    }
    try expectEqual(indexes(), [])
  }

  @Test func `An index that another program dropped is reported, and made again`() throws {
    try folder.open([Indexed.Person.self]) { _ in }
    try folder.execute(#"DROP INDEX "Person_tags.elements""#)
    try expectEqual(
      Realm.problems(for: folder.configuration([])).map(\.message),
      ["The index 'Person_tags.elements' is missing."])
    try folder.open([Indexed.Person.self]) { _ in }
    try expectEqual(indexes(), both)
  }

  @Test(arguments: [false, true])
  func `An index stays when its collection is rebuilt, and comes with it`(isBlock: Bool) throws {
    try makePlainFile()
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in
        new?["name"] = "Zoe"
      }
    }
    try folder.open([Optional.Person.self], version: 1, isBlock ? block : nil) { realm in
      expectEqual(realm.objects(Optional.Person.self).filter("ANY tags == 'b'").count, 2)
    }
    try expectEqual(indexes(), [both[1]])
    try folder.open([Indexed.Person.self], version: 2) { _ in }
    try expectEqual(indexes(), both)
  }

  @Test func `An index follows the names of its class and its collection`() throws {
    try makePlainFile()
    try folder.open([Indexed.Person.self]) { _ in }
    try folder.open(
      [Renamed.Human.self], version: 1,
      { migration, _ in
        migration.renameClass(from: "Person", to: "Human")
        migration.renameProperty(onType: "Human", from: "tags", to: "labels")
      }
    ) { realm in
      expectEqual(realm.objects(Renamed.Human.self).filter("ANY labels == 'b'").count, 2)
    }
    try expectEqual(
      indexes(),
      [
        #"CREATE INDEX "Human_labels.elements" ON "Human_labels"("value")"#,
        #"CREATE INDEX "Human_scores.elements" ON "Human_scores"("key", "value")"#,
      ])
    try expectEqual(Realm.problems(for: folder.configuration([])), [])
  }

  @Test func `A read-only file needs no index`() throws {
    try makePlainFile()
    var configuration = folder.configuration([Indexed.Person.self])
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.objects(Indexed.Person.self).filter("ANY tags == 'b'").count, 2)
  }
}

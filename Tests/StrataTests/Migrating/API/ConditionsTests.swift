import Strata
import StrataTestKit
import TestKit
import Testing

/// Conditions that select the old objects of a migration's loop.
@Suite(.rowsAtOnce(1_000))
struct ConditionsTests {
  typealias V1 = Conditions.V1
  typealias V2 = Conditions.V2
  typealias V3 = Conditions.V3

  let folder: TestFolder

  init() throws { folder = try Conditions.makeFile() }

  /// The names of the objects that come, in a migration that is undone.
  private func names(_ condition: String, _ arguments: [any Sendable] = []) throws -> [String] {
    let names = Heard<String>()
    #expect(throws: Undone.self) {
      try folder.open(
        V2.objectTypes, version: 1,
        { migration, _ in
          func add(_ old: MigrationObject?, _ new: MigrationObject?) {
            expectEqual(old?.name as? String, new?.name as? String)
            names.add("\(old?["name"] ?? "")")
          }
          if arguments.count == 2 {
            migration.enumerateObjects(
              ofType: "Person", where: condition, arguments[0], arguments[1], block: add)
          } else {
            migration.enumerateObjects(ofType: "Person", where: condition, block: add)
          }
          throw Undone()
        }
      ) { _ in }
    }
    return names.all
  }

  private struct Undone: Error {}

  @Test(
    arguments: [
      ("TRUEPREDICATE", ["Ada", "Bob", "Émile"]), ("FALSEPREDICATE", []),
      ("age < 10", ["Bob", "Émile"]), ("age < 10 OR name == 'Ada'", ["Ada", "Bob", "Émile"]),
      ("email == nil", ["Bob"]), ("NOT email == 'a@x'", ["Bob"]), ("dog.name == 'Rex'", ["Bob"]),
      ("dog == nil", ["Ada"]), ("ANY dogs.age > 2", ["Bob"]),
      ("dogs.@count == 0", ["Ada", "Émile"]),
      ("ANY tags == 'x'", ["Ada"]), ("scores['a'] == 1", ["Ada"]),
      ("home.city == 'Lyon'", ["Émile"]),
      ("name ==[c] 'ÉMILE'", ["Émile"]), ("name BEGINSWITH[cd] 'e'", ["Émile"]),
      ("value == 3", ["Bob"]), ("size == 1.5", ["Ada"]),
      ("SUBQUERY(dogs, $d, $d.age == 3 AND $d.name == 'Fido').@count == 1", ["Bob"]),
    ])
  func `Objects come for which the condition is true`(
    _ condition: String, _ expected: [String]
  ) throws {
    try expectEqual(names(condition), expected)
  }

  @Test func `Arguments take the places of placeholders`() throws {
    try expectEqual(names("age < %@ AND name != %@", [10, "Bob"]), ["Émile"])
    try expectEqual(names("%K IN %@", ["age", [36, 9]]), ["Ada", "Émile"])
    try expectEqual(names("email == %@ AND age == %@", [String?.none as any Sendable, 8]), ["Bob"])
  }

  @Test func `Objects of model classes come too`() throws {
    let names = Heard<String>()
    try folder.open(
      V2.objectTypes, version: 1,
      { migration, _ in
        migration.enumerate(V1.Person.self, V2.Person.self, where: "age < %@", 10) { old, new in
          new.group = "owner of \(old.dog?.name ?? "none")"
        }
        migration.enumerate(V1.Dog.self, where: "age > 2") { old in names.add(old.name) }
      }
    ) { realm in
      expectEqual(names.all, ["Fido"])
      expectEqual(
        realm.objects(V2.Person.self).map(\.group), ["adult", "owner of Rex", "owner of Fido"])
    }
  }

  @Test func `The condition sees the file as it was, whatever the block has done`() throws {
    let names = Heard<String>()
    try folder.open(
      V2.objectTypes, version: 1,
      { migration, _ in
        migration.enumerateObjects(ofType: "Person") { old, new in
          new?["age"] = 50
          new?["dog"] = nil
          if old?["name"] as? String == "Bob", let new { migration.delete(new) }
        }
        migration.create("Person", value: ["name": "Cleo", "age": 5])
        migration.enumerateObjects(ofType: "Person", where: "dog.age < 10 AND age < 10") {
          old, new in
          names.add("\(old?["name"] ?? "") \(old?["age"] ?? "") \(new?["age"] ?? "")")
        }
      }
    ) { _ in }
    expectEqual(names.all, ["Émile 9 50"])
  }

  @Test(arguments: [[1, 2, 3, 700, 2_000] + Array(800...1_900), [5], [2_499], Array(0..<2_500)])
  func `Rows before, between and behind those of the condition stay`(_ chosen: [Int]) throws {
    let folder = try TestFolder()
    try folder.write([Numbered.Old.Person.self]) { realm in
      for number in 0..<2_500 {
        realm.create(Numbered.Old.Person.self, value: ["number": number, "name": "n\(number)"])
      }
    }
    let numbers = Set(chosen)
    try folder.open(
      [Numbered.Same.Person.self], version: 1,
      { migration, _ in
        migration.enumerateObjects(ofType: "Person", where: "number IN %@", numbers) { old, new in
          new?["name"] = "\(old?["name"] ?? "")!"
        }
      }
    ) { realm in
      let found = Array(realm.objects(Numbered.Same.Person.self).map(\.name))
      expectEqual(found, (0..<2_500).map { numbers.contains($0) ? "n\($0)!" : "n\($0)" })
    }
    try folder.open(
      [Numbered.Retyped.Person.self], version: 2,
      { migration, _ in
        migration.enumerateObjects(ofType: "Person", where: "number IN %@", numbers) { old, new in
          new?["number"] = "\(old?["number"] ?? "")"
        }
      }
    ) { realm in
      let found = Array(realm.objects(Numbered.Retyped.Person.self).map(\.number))
      expectEqual(found, (0..<2_500).map { numbers.contains($0) ? "\($0)" : "none" })
    }
  }

  @Test func `A later stage sees what the one before has left`() throws {
    let names = Heard<String>()
    let plan: SchemaMigrationPlan = [
      .version(V1.self),
      .version(V2.self) { migration in
        migration.enumerateObjects(ofType: "Person", where: "age < 10") { _, new in
          new?["group"] = "CHILD"
        }
      },
      .version(V3.self) { migration in
        migration.enumerateObjects(
          ofType: "Person", where: "group ==[c] 'child' AND dog.age > 2"
        ) { old, new in
          names.add("\(old?["name"] ?? "")")
          new?["age"] = "\(old?["age"] ?? "")"
        }
      }
      .dropping(
        "Person.dog", "Person.dogs", "Person.tags", "Person.scores", "Person.home", "Person.value",
        "Person.size", "Person.age"),
    ]
    let realm = try Realm(
      configuration: Realm.Configuration(fileURL: folder.file, migrationPlan: plan))
    expectEqual(names.all, ["Émile"])
    expectEqual(realm.objects(V3.Person.self).map(\.age), ["unknown", "unknown", "9"])
    expectEqual(realm.objects(V3.Person.self).map(\.group), ["adult", "CHILD", "CHILD"])
  }

  @Test func `Nothing comes for a class that the file does not have`() throws {
    let folder = try TestFolder()
    try folder.open([V1.Dog.self]) { _ in }
    try folder.open(
      V2.objectTypes, version: 1,
      { migration, _ in
        migration.create("Person", value: ["name": "Cleo"])
        migration.enumerateObjects(ofType: "Person", where: "name == 'Cleo'") { _, _ in
          Issue.record("An object came.")
        }
        migration.delete(ofType: "Person", where: "name == 'Cleo'")
      }
    ) { realm in
      expectEqual(realm.objects(V2.Person.self).count, 1)
    }
  }

  @Test func `A class that the block has renamed is asked by its old names`() throws {
    enum Renamed {
      class Owner: Object {
        @Persisted var title = ""
        @Persisted var age = 0
      }
    }
    try folder.open(
      [Renamed.Owner.self], version: 1,
      { migration, _ in
        migration.renameClass(from: "Person", to: "Owner")
        migration.renameProperty(onType: "Owner", from: "name", to: "title")
        migration.enumerateObjects(ofType: "Owner", where: "name == 'Bob' AND dog.age == 2") {
          _, new in
          new?["title"] = "Robert"
        }
      }
    ) { realm in
      expectEqual(realm.objects(Renamed.Owner.self).map(\.title), ["Ada", "Robert", "Émile"])
    }
  }
}

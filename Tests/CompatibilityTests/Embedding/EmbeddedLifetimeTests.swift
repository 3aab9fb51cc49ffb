import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var home: Home?
    @Persisted var homes: List<Home>
    @Persisted var places: Map<String, Home?>
    @Persisted var kept: Home?
  }
  class Home: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var geo: Geo?
  }
  class Geo: EmbeddedObject {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [Person.self, Home.self, Geo.self]
}

private enum Removed {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var kept: V0.Home?
  }
  static let types: [ObjectBase.Type] = [Person.self, V0.Home.self, V0.Geo.self]
}

private enum Changed {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var home: List<V0.Home>
    @Persisted var homes: List<V0.Geo>
    @Persisted var places: String?
    @Persisted var kept: V0.Home?
  }
  static let types: [ObjectBase.Type] = [Person.self, V0.Home.self, V0.Geo.self]
}

private enum Empty {
  class Other: Object {
    @Persisted var name = ""
    @Persisted var kept: V0.Home?
  }
  static let types: [ObjectBase.Type] = [Other.self, V0.Home.self, V0.Geo.self]
}

/// The lifetime of embedded objects, which exist as long as an owner has them, also through
/// migrations.
@Suite("Embedded objects in migrations") struct EmbeddedLifetimeTests {
  private let file: TestFile

  init() throws {
    file = try TestFile()
    try file.write(V0.types) { realm in
      realm.create(
        V0.Person.self,
        value: [
          "Ada", ["A", ["a"]], [["B", ["b"]], ["C", ["c"]]], ["x": ["D", ["d"]]], ["K", ["k"]],
        ] as [Any])
    }
  }

  private func expectKept(in file: TestFile, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    try expectEqual(file.values("Home", "name"), ["K"], sourceLocation: sourceLocation)
    try expectEqual(file.values("Geo", "name"), ["k"], sourceLocation: sourceLocation)
    try expectEqual(file.shown("Person", "kept"), ["K"], sourceLocation: sourceLocation)
  }

  @Test(arguments: [true, false])
  func `Embedded objects are deleted with the property that held them`(withBlock: Bool) throws {
    let seen = Box<[String]>([])
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Home") { old, _ in seen.append(text(old?["name"])) }
    }
    try file.migrate(Removed.types, to: 1, withBlock ? block : nil)
    expectEqual(seen.value.sorted(), (withBlock ? ["A", "B", "C", "D", "K"] : []))
    try expectKept(in: file)
  }

  @Test(arguments: [true, false])
  func `Embedded objects are deleted when the property gets another type`(withBlock: Bool) throws {
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        expectTrue(shown(old?["home"]) == "A" && shown(new?["home"]) == "[]")
      }
    }
    try file.migrate(Changed.types, to: 1, withBlock ? block : nil)
    try expectKept(in: file)
  }

  @Test func `Objects of a type that changed can be created again in the block`() throws {
    try file.migrate(Changed.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        let home = old!["home"] as! MigrationObject
        new!["home"] = [V0.Home(value: [home["name"]])]
      }
    }
    try expectEqual(file.shown("Person", "home"), ["[A]"])
    try expectEqual(file.values("Home", "name").sorted(), ["A", "K"])
  }

  @Test(arguments: [true, false])
  func `Embedded objects are deleted with a parent that is deleted in a block`(all: Bool) throws {
    try file.migrate(V0.types, to: 1) { migration, _ in
      if all {
        migration.deleteData(forType: "Person")
      } else {
        migration.enumerateObjects(ofType: "Person") { _, new in migration.delete(new!) }
      }
      migration.enumerateObjects(ofType: "Home") { _, _ in Issue.record("All are gone.") }
    }
    try expectTrue(file.values("Home", "name").isEmpty)
    try expectTrue(file.values("Geo", "name").isEmpty)
  }

  @Test func `Embedded objects are deleted with the data of a class that is removed`() throws {
    try file.migrate(Empty.types, to: 1) { migration, _ in
      expectTrue(migration.deleteData(forType: "Person"))
    }
    try expectTrue(file.values("Home", "name").isEmpty)
    try expectTrue(file.values("Geo", "name").isEmpty)
  }

  @Test func `Embedded objects stay with a class that is removed and keeps its data`() throws {
    try file.migrate(Empty.types, to: 1, idleBlock)
    try expectEqual(file.values("Home", "name").count, 5)
    try file.migrate(V0.types, to: 2)
    try expectEqual(file.shown("Person", "homes"), ["[B, C]"])
  }

  @Test func `Embedded objects are deleted when the block replaces them`() throws {
    try file.migrate(V0.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in
        new!["home"] = ["name": "E"]
        new!["homes"] = nil
        new!["places"] = ["y": ["F"]]
        new!["places"] = [:] as [String: Any]
      }
    }
    try expectEqual(file.values("Home", "name").sorted(), ["E", "K"])
    try expectEqual(file.values("Geo", "name"), ["k"])
  }
}

import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// The values of existing objects in new and changed properties.
@Suite("Defaults in a migration")
struct DefaultsTests {
  enum V1 {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var email = "none"
      @Persisted var id = UUID()
      @Persisted var since = Date()
      @Persisted var ratio = 1.0 / 3
      @Persisted var level = 7
      @Persisted var text: String
      @Persisted var kind = V0.Kind.dog
      @Persisted var nickname: String?
    }
  }

  enum Retyped {
    final class Person: Object {
      @Persisted var name: Int?
      @Persisted var age = "unknown"
      @Persisted var email = UUID()
    }
  }

  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write([V0.Person.self]) { realm in
      for index in 0..<10 {
        let person = V0.Person(value: ["name": "\(index)", "age": index] as [String: Any])
        person.email = index % 2 == 0 ? nil : "\(index)@x"
        realm.add(person)
      }
    }
  }

  @Test(arguments: [false, true])
  func `Added and required properties have the defaults, also when a block looks`(
    withBlock: Bool
  ) throws {
    let block: MigrationBlock = { migration, _ in
      var ids: Set<UUID> = []
      migration.enumerateObjects(ofType: "Person") { old, new in
        expectTrue(new!["level"] as? Int == 7 && new!["kind"] as? String == "dog")
        expectEqual(new!["email"] as? String, old!["email"] as? String ?? "none")
        if let id = new!["id"] as? UUID { ids.insert(id) }
      }
      expectEqual(ids.count, 10)
    }
    try folder.open([V1.Person.self], version: 1, withBlock ? block : nil) { realm in
      let people = Array(realm.objects(V1.Person.self))
      expectEqual(people.map(\.name), (0..<10).map(String.init))
      expectEqual(people.map(\.email), (0..<10).map { $0 % 2 == 0 ? "none" : "\($0)@x" })
      expectTrue(Set(people.map(\.id)).count == 10 && Set(people.map(\.since)).count > 1)
      expectTrue(people.allSatisfy { $0.ratio == 1.0 / 3 && $0.level == 7 && $0.text == "" })
      expectTrue(people.allSatisfy { $0.kind == .dog && $0.nickname == nil })
    }
    try expectTrue(folder.isSound())
  }

  @Test func `Undeclared defaults are zeros, while new objects get an id and the time`() throws {
    enum V2 {
      final class Person: Object {
        @Persisted var name: String
        @Persisted var age: Int
        @Persisted var email: String?
        @Persisted var id: UUID
        @Persisted var at: Date
        @Persisted var flag: Bool
        @Persisted var data: Data
        @Persisted var ratio: Double
        @Persisted var kind: V0.Kind
      }
    }
    let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    try folder.open([V2.Person.self], version: 1) { realm in
      for person in realm.objects(V2.Person.self) {
        expectTrue(person.id == zero && person.at == Date(timeIntervalSince1970: 0))
        expectTrue(!person.flag && person.data.isEmpty && person.ratio == 0 && person.kind == .cat)
      }
    }
    let first = V2.Person()
    expectTrue(first.id != zero && first.id != V2.Person().id)
    expectTrue(abs(first.at.timeIntervalSinceNow) < 60 && first.name == "" && first.age == 0)
  }

  @Test func `Properties of another type start with their defaults`() throws {
    try folder.open([Retyped.Person.self], version: 1) { realm in
      let people = realm.objects(Retyped.Person.self)
      expectTrue(people.allSatisfy { $0.name == nil && $0.age == "unknown" })
      expectEqual(Set(people.map(\.email)).count, 10)
    }
  }

  /// Counts how often defaults are evaluated; each test has a class of its own.
  final class Evaluations: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    var value: Int { lock.withLock { count } }
    func next() -> Int {
      lock.withLock {
        count += 1
        return count
      }
    }
  }

  private enum Constant {
    static let evaluations = Evaluations()
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var email: String?
      @Persisted(indexed: true) var level = Constant.level()
    }
    static func level() -> Int {
      _ = evaluations.next()
      return 7
    }
  }

  private enum Varying {
    static let evaluations = Evaluations()
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var email: String?
      @Persisted(indexed: true) var level = Varying.evaluations.next()
    }
  }

  @Test
  func `A constant default is evaluated sixteen times, and once in a later migration`() throws {
    let other = try TestFolder()
    for (index, folder) in [folder, other].enumerated() {
      if index > 0 {
        try folder.write([V0.Person.self]) { realm in realm.create(V0.Person.self, value: ["a"]) }
      }
      _ = Constant.Person().objectSchema
      let before = Constant.evaluations.value
      try folder.open([Constant.Person.self], version: 1) { realm in
        expectTrue(realm.objects(Constant.Person.self).allSatisfy { $0.level == 7 })
      }
      expectEqual(Constant.evaluations.value - before, (index == 0 ? 16 : 1))
    }
  }

  @Test func `A varying default is known by the second object`() throws {
    _ = Varying.Person().objectSchema
    let before = Varying.evaluations.value
    try folder.open([Varying.Person.self], version: 1) { realm in
      expectEqual(Set(realm.objects(Varying.Person.self).map(\.level)).count, 10)
    }
    // Two samples, and one for each of the ten rows.
    expectEqual(Varying.evaluations.value - before, 12)
  }

  @Test func `A default that can't be stored is refused`() throws {
    enum V2 {
      final class Person: Object {
        @Persisted var name = ""
        @Persisted var age = 0
        @Persisted var email: String?
        @Persisted var ratio = Double.nan
      }
    }
    let error = try folder.expectUntouched([V2.Person.self], version: 1)
    expectEqual(error?.message.hasPrefix("The value of 'Person.ratio' can't be stored"), true)
  }
}

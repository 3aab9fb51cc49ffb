import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// How often defaults are evaluated, and which of them are refused.
@Suite("Evaluation of defaults in a migration")
struct DefaultsTests {
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

import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// The classes of a realm whose configuration lists none, including some that can't be used
/// together.
@Suite struct DefaultClassesTests {
  struct Even: FailableCustomPersistable {
    let number: Int
    init?(persistedValue: Int) {
      guard persistedValue > 0 else { return nil }
      number = persistedValue
    }
    var persistableValue: Int { number }
  }

  enum A {
    final class Person: Object { @Persisted var name = "" }
    final class NameOfPerson: Object {
      @Persisted var name = ""
      override static func _realmObjectName() -> String? { "Person" }
    }
    final class First: Object {
      @Persisted var name = ""
      override static func _realmObjectName() -> String? { "Shared" }
    }
    final class Second: Object {
      @Persisted var name = ""
      override static func _realmObjectName() -> String? { "Shared" }
    }
    // Not in the realms of other tests, which look at all classes.
    final class Linking: Object {
      @Persisted var first: First?
      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }
    final class Required: Object {
      @Persisted var even: Even
    }
    final class Listed: Object { @Persisted var evens: List<Even> }
    final class Fitting: Object { @Persisted var even = Even(persistedValue: 2)! }
    final class LinkingToRequired: Object {
      @Persisted var required: Required?
      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }
    final class Draft: Object {
      override static func shouldIncludeInDefaultSchema() -> Bool { false }
      @Persisted var name = ""
    }
    final class Ignored: Object {
      override static func _realmIgnoreClass() -> Bool { true }
      @Persisted var name = ""
    }
  }

  private func names(_ types: [ObjectBase.Type]) throws -> Set<String> {
    Set(try DiscoveredSchema.of(types, isSubset: false).classes.values.map { "\($0.type)" })
  }

  @Test func `Views of one table keep no other class from being used`() throws {
    try expectEqual(
      names([A.Person.self, A.NameOfPerson.self, A.First.self, A.Second.self]), ["Person"])
  }

  @Test func `Views that another class leads to are a mistake`() {
    expectError(containing: "Type 'Shared' appears more than once in the schema.") {
      try names([A.Linking.self, A.First.self, A.Second.self])
    }
  }

  @Test func `A class whose type has no zero keeps no other class from being used`() throws {
    try expectEqual(
      names([A.Person.self, A.Required.self, A.Listed.self, A.Fitting.self]), ["Person", "Fitting"])
  }

  private let sentence =
    "'Even' can't be made from the zero of 'Int', which properties and elements of this type need. "
    + "Make them optional, give the property a default value, or implement 'static func "
    + "_rlmDefaultValue() -> Even'."

  @Test func `A class whose type has no zero is a mistake where it is named or linked to`() {
    for types in [[A.LinkingToRequired.self, A.Required.self] as [ObjectBase.Type]] {
      expectError(containing: "Type 'Required' can't be used: \(sentence)") { try names(types) }
    }
    expectError(containing: "Type 'Listed' can't be used: \(sentence)") {
      try Realm(
        configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [A.Listed.self]))
    }
  }

  @Test func `Using a class that was left out says why it isn't there`() throws {
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [A.Person.self]))
    expectError(ending: "Type 'Required' can't be used: \(sentence)") {
      try realm.write { _ = realm.objects(A.Required.self) }
    }
    expectError(ending: "list the one that this realm is used with in 'objectTypes'.") {
      try realm.write { _ = realm.objects(A.First.self) }
    }
  }

  @Test func `A class says that it belongs only to realms that name it`() throws {
    expectTrue(A.Person.shouldIncludeInDefaultSchema() && !A.Draft.shouldIncludeInDefaultSchema())
    expectFalse(A.Ignored.shouldIncludeInDefaultSchema())
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [A.Draft.self]))
    expectTrue(realm.objects(A.Draft.self).isEmpty)
  }
}

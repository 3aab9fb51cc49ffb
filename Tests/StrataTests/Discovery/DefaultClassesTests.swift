import Foundation
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
    let error = #expect(throws: Realm.Error.self) {
      try names([A.Linking.self, A.First.self, A.Second.self])
    }
    expectEqual(
      error?.message.contains("Type 'Shared' appears more than once in the schema."), true)
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
      let error = #expect(throws: Realm.Error.self) { try names(types) }
      expectEqual(error?.message.contains("Type 'Required' can't be used: \(sentence)"), true)
    }
    let error = #expect(throws: Realm.Error.self) {
      try Realm(
        configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [A.Listed.self]))
    }
    expectEqual(error?.message.contains("Type 'Listed' can't be used: \(sentence)"), true)
  }

  @Test func `Using a class that was left out says why it isn't there`() throws {
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [A.Person.self]))
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { _ = realm.objects(A.Required.self) }
    }
    expectEqual(error?.message.hasSuffix("Type 'Required' can't be used: \(sentence)"), true)
    let view = #expect(throws: Realm.Error.self) {
      try realm.write { _ = realm.objects(A.First.self) }
    }
    expectEqual(
      view?.message.hasSuffix("list the one that this realm is used with in 'objectTypes'."), true
    )
  }

  @Test func `A class says that it belongs only to realms that name it`() throws {
    expectTrue(A.Person.shouldIncludeInDefaultSchema() && !A.Draft.shouldIncludeInDefaultSchema())
    expectFalse(A.Ignored.shouldIncludeInDefaultSchema())
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [A.Draft.self]))
    expectTrue(realm.objects(A.Draft.self).isEmpty)
  }
}

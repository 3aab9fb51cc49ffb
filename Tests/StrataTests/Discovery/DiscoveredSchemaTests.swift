import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("The schema of a set of classes")
struct DiscoveredSchemaTests {
  enum A {
    final class Same: Object { @Persisted var x = 0 }
    final class TwoKeys: Object {
      @Persisted(primaryKey: true) var a = 0
      @Persisted(primaryKey: true) var b = 0
    }
    final class ThreeKeys: Object {
      @Persisted(primaryKey: true) var a = 0
      @Persisted(primaryKey: true) var b = 0
      @Persisted var c = 0
      override static func primaryKey() -> String? { "c" }
    }
    final class DoubleKey: Object { @Persisted(primaryKey: true) var a = 0.0 }
    final class DoubleIndex: Object { @Persisted(indexed: true) var a = 0.0 }
    final class NoKey: Object {
      @Persisted var a = 0
      override static func primaryKey() -> String? { "b" }
    }
    final class DataIndex: Object {
      @Persisted var a = Data()
      override static func indexedProperties() -> [String] { ["a", "gone"] }
    }
    final class Empty: Object {}
  }

  enum B {
    final class Same: Object { @Persisted var x = 0 }
  }

  @Test func `One error has all problems of a set of classes`() throws {
    let folder = try TestFolder()
    let error = #expect(throws: Realm.Error.self) {
      try folder.open([
        A.Same.self, B.Same.self, A.TwoKeys.self, A.DoubleKey.self, A.NoKey.self, A.DataIndex.self,
        A.Empty.self, A.ThreeKeys.self, A.DoubleIndex.self,
      ]) { _ in }
    }
    expectEqual(error?.code, .fail)
    let lines = error?.message.split(separator: "\n").map(String.init) ?? []
    expectEqual(lines.first, "Schema validation failed due to the following errors:")
    let expected = [
      "- Type 'Same' appears more than once in the schema.",
      "- Properties 'a' and 'b' are both marked as the primary key of 'TwoKeys'.",
      "- Properties 'a' and 'b' are both marked as the primary key of 'ThreeKeys'.",
      "- Properties 'a' and 'c' are both marked as the primary key of 'ThreeKeys'.",
      "- Property 'DoubleKey.a' of type 'double' cannot be made the primary key.",
      "- Specified primary key 'NoKey.b' does not exist.",
      "- Property 'DataIndex.a' of type 'data' cannot be indexed.",
      "- Property 'DoubleIndex.a' of type 'double' cannot be indexed.",
      "- Property 'DataIndex.gone', named by 'indexedProperties()' or 'propertiesMapping()', does not "
        + "exist.",
      "- No properties are defined for 'Empty'.",
    ]
    for text in expected {
      expectTrue(lines.contains { $0.hasPrefix(text) }, "\(text)\n\(error?.message ?? "")")
    }
    expectEqual(lines.count, expected.count + 1)
    expectFalse(Realm.fileExists(for: folder.configuration([])))
  }

  @Test
  func `Every class of the process is found, and classes with the same name are reported`() throws {
    let folder = try TestFolder()
    expectError(containing: "Type 'Same' appears more than once in the schema. It is the name of ")
    {
      _ = try Realm(configuration: .init(fileURL: folder.file))
    }
  }

  /// Each use of it is a class of its own.
  class Box<Value: RealmCollectionValue & _OptionalPersistable & Persistable>: Object {
    @Persisted var value: Value?
    @Persisted var values: List<Value>
  }

  final class NumberBox: Box<Int> {
    @Persisted var name = ""
  }

  @Test func `A generic class is reported as missing, and accepted when it is listed`() throws {
    let folder = try TestFolder()
    let hint =
      " 'Box<String>' is generic, and generic classes are not found automatically. Name it in "
      + "'objectTypes', or use a subclass that isn't generic."
    try folder.open([NumberBox.self]) { realm in
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { realm.add(Box<String>()) }
      }
      expectEqual(error?.message.hasPrefix("Object type 'Box<String>' is not managed by"), true)
      expectEqual(error?.message.hasSuffix(hint), true)
      expectError(error?.message) {
        try realm.write { realm.create(Box<String>.self) }
      }
      expectIssue(hint) { _ = realm.objects(Box<String>.self) }
      let plain = #expect(throws: Realm.Error.self) { try realm.write { realm.add(A.Same()) } }
      expectEqual(plain?.message.contains("is generic"), false)
      try realm.write { realm.create(NumberBox.self, value: [3, [1, 2], "a"] as [Any]) }
      expectEqual(realm.objects(NumberBox.self).first?.value, 3)
    }
    let other = try TestFolder()
    try other.open([Box<String>.self]) { realm in
      try realm.write { realm.create(Box<String>.self, value: ["a", ["b"]] as [Any]) }
      expectEqual(realm.objects(Box<String>.self).first?.value, "a")
    }
  }

  @Test func `A class that is given twice counts once`() throws {
    let folder = try TestFolder()
    try folder.open([A.Same.self, A.Same.self]) { realm in
      expectEqual(realm.schema.objectSchema.map(\.className), ["Same"])
    }
  }
}

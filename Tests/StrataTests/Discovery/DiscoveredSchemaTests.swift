import Foundation
import Strata
import Testing

@Suite("The schema of a set of classes")
struct DiscoveredSchemaTests {
  enum A {
    final class Same: Object { @Persisted var x = 0 }
    final class TwoKeys: Object {
      @Persisted(primaryKey: true) var a = 0
      @Persisted(primaryKey: true) var b = 0
    }
    final class DoubleKey: Object { @Persisted(primaryKey: true) var a = 0.0 }
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

  @Test("has all problems in one error")
  func problems() throws {
    let folder = try TestFolder()
    let error = #expect(throws: Realm.Error.self) {
      try folder.open([
        A.Same.self, B.Same.self, A.TwoKeys.self, A.DoubleKey.self, A.NoKey.self, A.DataIndex.self,
        A.Empty.self,
      ]) { _ in }
    }
    #expect(error?.code == .fail)
    let lines = error?.message.split(separator: "\n").map(String.init) ?? []
    #expect(lines.first == "Schema validation failed due to the following errors:")
    let expected = [
      "- Type 'Same' appears more than once in the schema.",
      "- Properties 'a' and 'b' are both marked as the primary key of 'TwoKeys'.",
      "- Property 'DoubleKey.a' of type 'double' cannot be made the primary key.",
      "- Specified primary key 'NoKey.b' does not exist.",
      "- Property 'DataIndex.a' of type 'data' cannot be indexed.",
      "- Property 'DataIndex.gone', named by 'indexedProperties()' or 'propertiesMapping()', does not "
        + "exist.",
      "- No properties are defined for 'Empty'.",
    ]
    for text in expected {
      #expect(lines.contains { $0.hasPrefix(text) }, "\(text)\n\(error?.message ?? "")")
    }
    #expect(lines.count == expected.count + 1)
    #expect(!Realm.fileExists(for: folder.configuration([])))
  }

  @Test("finds every class of the process by itself, and says which have the same name")
  func everyClass() throws {
    let folder = try TestFolder()
    let error = #expect(throws: Realm.Error.self) {
      _ = try Realm(configuration: .init(fileURL: folder.file))
    }
    #expect(
      error?.message.contains(
        "Type 'Same' appears more than once in the schema. It is the name of ")
        == true)
  }

  @Test("takes a class that is given twice for one")
  func twice() throws {
    let folder = try TestFolder()
    try folder.open([A.Same.self, A.Same.self]) { realm in
      #expect(realm.schema.objectSchema.map(\.className) == ["Same"])
    }
  }
}

import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Alpha: Object {
    @Persisted(indexed: true) var number = 0
    @Persisted var text = ""
    @Persisted var maybe: Double?
  }
  class Gone: Object {
    @Persisted var value = 0
  }
}

private enum V1 {
  class Alpha: Object {
    @Persisted var added: Date?
    @Persisted var text: String?
    @Persisted(primaryKey: true) var number = ""
    @Persisted var maybe = 0.0
  }
  class Fresh: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted(indexed: true) var flag = false
  }
}

/// `oldSchema` and `newSchema`, and the schema of each object.
@Suite("Schemas in a migration") struct SchemasTests {
  private func migrate(
    _ body: @escaping @Sendable (Migration) -> Void
  ) throws {
    let file = try TestFile()
    try file.write([V0.Alpha.self, V0.Gone.self]) { $0.add(V0.Alpha(value: [1, "a"])) }
    let called = Box(false)
    try file.migrate([V1.Alpha.self, V1.Fresh.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Alpha") { old, new in
        new?["number"] = text(old?["number"])
      }
      body(migration)
      called.value = true
    }
    expectTrue(called.value)
  }

  @Test func `The old schema is the file's, with all classes in order of their names`() throws {
    try migrate { migration in
      let schema = migration.oldSchema
      expectEqual(schema.names, ["Alpha", "Gone"])
      expectNil(schema["Fresh"])
      expectEqual(schema["Alpha"]?.names, ["number", "text", "maybe"])
      expectNil(schema["Alpha"]?.primaryKeyProperty)
      let number = schema["Alpha"]?["number"]
      expectEqual(number?.name, "number")
      expectEqual(number?.type, .int)
      expectEqual(number?.isIndexed, true)
      expectEqual(number?.isOptional, false)
      expectNil(number?.objectClassName)
      expectEqual(number?.isArray, false)
      expectEqual(schema["Alpha"]?["maybe"]?.isOptional, true)
    }
  }

  @Test func `The new schema is the program's`() throws {
    try migrate { migration in
      let schema = migration.newSchema
      expectEqual(schema.names, ["Alpha", "Fresh"])
      expectNil(schema["Gone"])
      expectEqual(schema["Alpha"]?.names, ["added", "text", "number", "maybe"])
      expectEqual(schema["Alpha"]?.primaryKeyProperty?.name, "number")
      expectEqual(schema["Alpha"]?["number"]?.type, .string)
      expectEqual(schema["Alpha"]?["number"]?.isIndexed, true)
      expectEqual(schema["Alpha"]?["text"]?.isOptional, true)
      expectEqual(schema["Alpha"]?["maybe"]?.isOptional, false)
      expectEqual(schema["Fresh"]?["flag"]?.isIndexed, true)
    }
  }

  @Test func `Each object has the schema of its side`() throws {
    try migrate { migration in
      migration.enumerateObjects(ofType: "Alpha") { old, new in
        expectEqual(old?.objectSchema, migration.oldSchema["Alpha"])
        expectEqual(new?.objectSchema, migration.newSchema["Alpha"])
        expectNil(old?.objectSchema["added"])
        expectTrue(new?.objectSchema["added"] != nil)
        expectEqual(old?.objectSchema.className, "Alpha")
      }
      let created = migration.create("Fresh")
      expectEqual(created.objectSchema, migration.newSchema["Fresh"])
    }
  }

  @Test func `Both sides are the same when nothing changed`() throws {
    let file = try TestFile()
    try file.write([V0.Alpha.self]) { $0.add(V0.Alpha()) }
    let calls = Box(0)
    try file.migrate([V0.Alpha.self], to: 1) { migration, _ in
      expectEqual(migration.oldSchema, migration.newSchema)
      migration.enumerateObjects(ofType: "Alpha") { old, new in
        expectEqual(old?.objectSchema, new?.objectSchema)
        calls.value += 1
      }
    }
    expectEqual(calls.value, 1)
  }
}

import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Alpha: Object {
    @Persisted var number = 0
    @Persisted var text = ""
  }
  class Beta: Object {
    @Persisted var number = 0
  }
}

private enum Reordered {
  class Alpha: Object {
    @Persisted var text = ""
    @Persisted var number = 0
  }
}

private enum Defaulted {
  class Alpha: Object {
    @Persisted var number = 42
    @Persisted var text = "other"
    var unsaved = "not in the file"
  }
}

private enum Widths {
  class Alpha: Object {
    @Persisted var number: Int16 = 0
    @Persisted var text = Letter.a
  }
  enum Letter: String, PersistableEnum { case a, b }
}

/// Changes of the classes that need no higher version.
@Suite("Free changes") struct FreeChangesTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  @Test func `Classes may be added one after the other`() throws {
    try file.migrate([], to: 0)
    try file.write([V0.Alpha.self]) { $0.add(V0.Alpha(value: [1, "a"])) }
    try file.write([V0.Alpha.self, V0.Beta.self]) { $0.add(V0.Beta(value: [2])) }
    try expectEqual(file.storedSchema().names, ["Alpha", "Beta"])
    try expectEqual(file.values("Alpha", "text"), ["a"])
    try expectEqual(file.version, 0)
  }

  @Test
  func `A removed class keeps its objects in the file, and has them when it comes back`() throws {
    try file.write([V0.Alpha.self, V0.Beta.self]) { realm in
      realm.add(V0.Alpha(value: [1, "a"]))
      realm.add(V0.Beta(value: [2]))
    }
    try file.open([V0.Alpha.self]) { realm in
      expectEqual(realm.schema.names, ["Alpha"])
      expectEqual(realm.objects(V0.Alpha.self).count, 1)
    }
    try file.open([V0.Beta.self]) { realm in
      expectEqual(realm.objects(V0.Beta.self).map(\.number), [2])
    }
    try file.migrate([V0.Beta.self], to: 1)
    try expectEqual(file.storedSchema().names, ["Alpha", "Beta"])
    try file.open([V0.Alpha.self, V0.Beta.self], version: 1) { realm in
      expectEqual(realm.objects(V0.Alpha.self).map(\.text), ["a"])
      expectEqual(realm.objects(V0.Beta.self).map(\.number), [2])
    }
  }

  @Test func `The order of properties is the program's, not the file's`() throws {
    try file.write([V0.Alpha.self]) { $0.add(V0.Alpha(value: [1, "a"])) }
    try file.write([Reordered.Alpha.self]) { realm in
      realm.create(Reordered.Alpha.self, value: ["b", 2])
    }
    try file.open([V0.Alpha.self]) { realm in
      let objects = realm.objects(V0.Alpha.self)
      expectEqual(objects.map(\.number), [1, 2])
      expectEqual(objects.map(\.text), ["a", "b"])
    }
  }

  @Test func `Positional values in the order of the file don't fit`() throws {
    try file.write([V0.Alpha.self]) { $0.add(V0.Alpha(value: [1, "a"])) }
    try file.open([Reordered.Alpha.self]) { realm in
      expectError(beginning: "Invalid value '2' of type 'Int' for 'string'") {
        try realm.write { realm.create(Reordered.Alpha.self, value: [2, "b"]) }
      }
      expectEqual(realm.objects(Reordered.Alpha.self).count, 1)
    }
  }

  @Test
  func `Defaults, and properties that are not persisted, are not part of the schema`() throws {
    try file.write([V0.Alpha.self]) { $0.add(V0.Alpha(value: [1, "a"])) }
    try file.open([Defaulted.Alpha.self]) { realm in
      expectEqual(realm.objects(Defaulted.Alpha.self).map(\.number), [1])
      try realm.write { realm.add(Defaulted.Alpha()) }
      expectEqual(realm.objects(Defaulted.Alpha.self).map(\.number), [1, 42])
    }
  }

  @Test func `The width of an integer, and an enum for its raw value, are not a change`() throws {
    try file.write([V0.Alpha.self]) { $0.add(V0.Alpha(value: [300, "b"])) }
    try file.open([Widths.Alpha.self]) { realm in
      expectEqual(realm.objects(Widths.Alpha.self).first?.number, 300)
      expectEqual(realm.objects(Widths.Alpha.self).first?.text, .b)
    }
  }
}

import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private let moment = Date(timeIntervalSince1970: 1_500_000_000.75)
private let identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

private enum Kind: String, PersistableEnum {
  case first, second
}

private enum Number: Int8, PersistableEnum {
  case one = 1
  case two
}

private enum V0 {
  class All: Object {
    @Persisted var bool = true
    @Persisted var int = 1
    @Persisted var int8: Int8 = 2
    @Persisted var int16: Int16 = 3
    @Persisted var int32: Int32 = 4
    @Persisted var int64: Int64 = 5
    @Persisted var float: Float = 1.5
    @Persisted var double = 1.23
    @Persisted var string = "text"
    @Persisted var data = Data([1, 2, 3])
    @Persisted var date = moment
    @Persisted var uuid = identifier
    @Persisted var kind = Kind.second
    @Persisted var number = Number.two
  }
  class Maybe: Object {
    @Persisted var bool: Bool?
    @Persisted var int: Int?
    @Persisted var int8: Int8?
    @Persisted var int16: Int16?
    @Persisted var int32: Int32?
    @Persisted var int64: Int64?
    @Persisted var float: Float?
    @Persisted var double: Double?
    @Persisted var string: String?
    @Persisted var data: Data?
    @Persisted var date: Date?
    @Persisted var uuid: UUID?
    @Persisted var kind: Kind?
    @Persisted var number: Number?
  }
}

/// The values of a migration object's properties, and the values that they accept.
@Suite("Migration objects") struct MigrationObjectTests {
  /// The values of the class by name, as access by name gives them.
  private static var expected: [String: any Hashable] {
    [
      "bool": NSNumber(value: true), "int": NSNumber(value: 1), "int8": NSNumber(value: 2),
      "int16": NSNumber(value: 3), "int32": NSNumber(value: 4), "int64": NSNumber(value: 5),
      "float": NSNumber(value: Float(1.5)), "double": NSNumber(value: 1.23),
      "string": "text", "data": Data([1, 2, 3]),
      "date": moment, "uuid": identifier, "kind": "second", "number": NSNumber(value: 2),
    ]
  }

  private static func check(
    _ object: MigrationObject?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (name, value) in expected {
      let found = object?[name] as Any?
      expectEqual(
        (found as? AnyHashable), AnyHashable(value), "\(name)", sourceLocation: sourceLocation)
      expectEqual(
        found.map { "\(type(of: $0))" }, "\(type(of: value))", "\(name)",
        sourceLocation: sourceLocation)
    }
  }

  private func migrate(
    _ types: [ObjectBase.Type], _ value: [Any?] = [],
    _ body: @escaping @Sendable (MigrationObject?, MigrationObject?) -> Void
  ) throws -> TestFile {
    let file = try TestFile()
    try file.write(types) { realm in
      for type in types {
        if let type = type as? Object.Type { realm.create(type, value: value) }
      }
    }
    let calls = Box(0)
    try file.migrate(types, to: 1) { migration, _ in
      for type in types {
        migration.enumerateObjects(ofType: type.className()) { old, new in
          calls.value += 1
          body(old, new)
        }
      }
    }
    expectEqual(calls.value, types.count)
    return file
  }

  @Test
  func `Each type reads as itself, numbers in boxes, enums as raw values`() throws {
    _ = try migrate([V0.All.self]) { old, new in
      MigrationObjectTests.check(old)
      MigrationObjectTests.check(new)
    }
  }

  @Test func `Optionals that have values read as the values`() throws {
    let values: [Any?] = [
      true, 1, 2, 3, 4, 5, Float(1.5), 1.23, "text", Data([1, 2, 3]), moment, identifier,
      Kind.second, Number.two,
    ]
    _ = try migrate([V0.Maybe.self], values) { old, new in
      MigrationObjectTests.check(old)
      MigrationObjectTests.check(new)
    }
  }

  @Test func `Optionals without a value are nil, in each way to read`() throws {
    _ = try migrate([V0.Maybe.self]) { old, new in
      for object in [old, new] {
        for name in MigrationObjectTests.expected.keys {
          expectNil(object?[name] as Any?)
          expectNil(object?.value(forKey: name))
        }
        expectNil(object?.int)
        expectNil(object?.string)
      }
    }
  }

  @Test func `Dot syntax and value(forKey:) are the same as the subscript`() throws {
    let file = try migrate([V0.All.self]) { old, new in
      expectEqual(old?.int as? Int, 1)
      expectEqual(old?.string as? String, "text")
      expectEqual(old?.value(forKey: "double") as? Double, 1.23)
      new?.int = 10
      new?.setValue("by key", forKey: "string")
      expectEqual(new?.int as? Int, 10)
      expectEqual(new?["string"] as? String, "by key")
      expectEqual(old?.int as? Int, 1)
    }
    try expectEqual(file.values("All", "int"), ["10"])
    try expectEqual(file.values("All", "string"), ["by key"])
  }

  @Test func `Forced casts of the documentation hold`() throws {
    _ = try migrate([V0.All.self]) { old, new in
      guard let old, let new else { return }
      for object in [old, new] {
        expectTrue(object["bool"] as! Bool)
        expectEqual(object["int"] as! Int, 1)
        expectEqual(object["float"] as! Float, 1.5)
        expectEqual(object["double"] as! Double, 1.23)
        expectEqual(object["string"] as! String, "text")
        expectEqual(object["data"] as! Data, Data([1, 2, 3]))
        expectEqual(object["date"] as! Date, moment)
        expectEqual(object["uuid"] as! UUID, identifier)
        expectEqual("\(object["int"]!) \(object["bool"]!)", "1 1")
      }
    }
  }

  @Test func `Each type can be written, and is read back at once and from the file`() throws {
    let file = try migrate([V0.All.self, V0.Maybe.self]) { old, new in
      new?["bool"] = false
      new?["int"] = 11
      new?["int8"] = Int8(12)
      new?["int16"] = 13
      new?["int32"] = Int32(14)
      new?["int64"] = Int64(15)
      new?["float"] = Float(2.5)
      new?["double"] = 3
      new?["string"] = "new"
      new?["data"] = Data([9])
      new?["date"] = Date(timeIntervalSince1970: 1)
      new?["uuid"] = UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9))
      new?["kind"] = Kind.first
      new?["number"] = 1
      expectEqual(new?["int8"] as? Int, 12)
      expectEqual(new?["double"] as? Double, 3)
      expectEqual(new?["kind"] as? String, "first")
    }
    try file.open([V0.All.self, V0.Maybe.self], version: 1) { realm in
      let all = try #require(realm.objects(V0.All.self).first)
      expectFalse(all.bool)
      expectEqual(all.int, 11)
      expectEqual(all.int8, 12)
      expectEqual(all.int16, 13)
      expectEqual(all.int32, 14)
      expectEqual(all.int64, 15)
      expectEqual(all.float, 2.5)
      expectEqual(all.double, 3)
      expectEqual(all.string, "new")
      expectEqual(all.data, Data([9]))
      expectEqual(all.date, Date(timeIntervalSince1970: 1))
      expectEqual(all.kind, .first)
      expectEqual(all.number, .one)
      let maybe = try #require(realm.objects(V0.Maybe.self).first)
      expectEqual(maybe.bool, false)
      expectEqual(maybe.int8, 12)
      expectEqual(maybe.uuid, all.uuid)
      expectEqual(maybe.kind, .first)
    }
  }

  @Test func `Optionals accept nil, in each way to write it`() throws {
    let values: [Any?] = [true, 1, 2, 3, 4, 5, Float(1.5), 1.23, "text"]
    let file = try migrate([V0.Maybe.self], values) { _, new in
      new?["bool"] = nil
      new?["int"] = NSNull()
      new?["string"] = Optional<String>.none
      new?.setValue(nil, forKey: "double")
      new?.float = nil
      expectNil(new?["int"])
    }
    for name in ["bool", "int", "string", "double", "float"] {
      try expectEqual(file.values("Maybe", name), ["nil"], "\(name)")
    }
    try expectEqual(file.values("Maybe", "int16"), ["3"])
  }

  @Test
  func `The old object still shows the old values, whatever is written to the new one`() throws {
    _ = try migrate([V0.All.self]) { old, new in
      new?["int"] = 100
      new?["string"] = "changed"
      MigrationObjectTests.check(old)
    }
  }

  @Test func `The description has the class and each property`() throws {
    _ = try migrate([V0.Maybe.self], [true, 7]) { old, new in
      expectEqual(old?.description, new?.description)
      let text = old?.description ?? ""
      expectTrue(text.hasPrefix("Maybe {\n\tbool = "))
      expectTrue(text.contains("\n\tint = 7;\n"))
      expectTrue(text.contains("\n\tstring = (null);\n"))
      expectTrue(text.hasSuffix("}"))
    }
  }

  @Test func `Objects are the same when they are the same row of the same side`() throws {
    let file = try TestFile()
    try file.write([V0.All.self]) { realm in
      realm.add(V0.All())
      realm.add(V0.All())
    }
    try file.migrate([V0.All.self], to: 1) { migration, _ in
      var old: [MigrationObject] = []
      var new: [MigrationObject] = []
      for _ in 0..<2 {
        migration.enumerateObjects(ofType: "All") {
          if let object = $0 { old.append(object) }
          if let object = $1 { new.append(object) }
        }
      }
      try #require(old.count == 4 && new.count == 4)
      expectEqual(old[0], old[2])
      expectTrue(old[0] != old[1])
      expectEqual(new[0], new[2])
      expectTrue(old[0] != new[0])
    }
  }
}

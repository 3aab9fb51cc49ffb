import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Kind: String, PersistableEnum, Codable { case dog, cat }

private class Part: EmbeddedObject, Codable {
  @Persisted var city = "none"
  @Persisted var zip: Int?
}

private class Everything: Object, Codable {
  @Persisted var bool: Bool
  @Persisted var int: Int
  @Persisted var int8: Int8
  @Persisted var int64: Int64
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var uuid: UUID
  @Persisted var objectId: ObjectId
  @Persisted var decimal: Decimal128
  @Persisted var kind: Kind
  @Persisted var part: Part?
  @Persisted var optionalBool: Bool?
  @Persisted var optionalInt: Int?
  @Persisted var optionalString: String?
  @Persisted var optionalData: Data?
  @Persisted var optionalDate: Date?
  @Persisted var optionalId: ObjectId?
  @Persisted var optionalDecimal: Decimal128?
  @Persisted var optionalKind: Kind?
  @Persisted var ints: List<Int>
  @Persisted var optionalInts: List<Int?>
  @Persisted var kinds: List<Kind>
  @Persisted var parts: List<Part>
  @Persisted var strings: MutableSet<String>
  @Persisted var decimals: Map<String, Decimal128>
  @Persisted var optionals: Map<String, Int?>
}

private class Defaulted: Object, Codable {
  @Persisted var name = "default"
  @Persisted var note: String? = "default"
}

private class Cat: Object, Codable {
  @Persisted var name = "Tom"
  @Persisted var age: Int?
  @Persisted var id: ObjectId
  @Persisted var lives: List<Int>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: Map<String, Double?>
}

private class Box: Object, Codable {
  @Persisted var cat: Cat?
  @Persisted var cats: List<Cat>
}

/// Encodes itself, also in a realm.
private class Written: Object, Encodable {
  @Persisted var name = ""
  @Persisted var friend: Written?
  @Persisted(originProperty: "friend") var friends: LinkingObjects<Written>

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

/// Every type of property as JSON.
@Suite("Codable of every type") struct CodableTypesTests {
  private static let required = """
    "bool":true,"int":1,"int8":-2,"int64":9223372036854775807,"float":2.5,"double":0.25,\
    "string":"abc","data":"ZGVm","date":2.5,"uuid":"00000000-0000-0000-0000-00000000000A",\
    "objectId":"1234567890abcdef12345678","decimal":"1.5E2","kind":"cat"
    """
  private static let collections = """
    "ints":[1,2],"optionalInts":[1,null],"kinds":["dog"],"parts":[{"city":"Rome"}],\
    "strings":["x"],"decimals":{"a":"2.5"},"optionals":{"b":null}
    """

  private func decode(_ text: String) throws -> Everything {
    try decode(Everything.self, "{\(text)}")
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  private func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test func `Values of every type are decoded`() throws {
    let object = try decode(
      """
      \(Self.required),\(Self.collections),"part":{"city":"Oslo","zip":150},"optionalBool":false,\
      "optionalInt":5,"optionalString":"x","optionalData":"","optionalDate":0,\
      "optionalId":"1234567890abcdef12345678","optionalDecimal":"7","optionalKind":"dog"
      """)
    expectTrue(object.bool && object.int == 1 && object.int8 == -2 && object.int64 == .max)
    expectTrue(object.float == 2.5 && object.double == 0.25 && object.string == "abc")
    expectEqual(object.data, Data("def".utf8))
    expectEqual(object.date, Date(timeIntervalSinceReferenceDate: 2.5))
    expectTrue(object.uuid.uuidString.hasSuffix("0A"))
    expectEqual(object.objectId, ObjectId("1234567890abcdef12345678"))
    expectTrue(object.decimal == 150 && object.kind == .cat && object.part?.zip == 150)
    expectTrue(object.optionalBool == false && object.optionalInt == 5)
    expectTrue(object.optionalData == Data() && object.optionalDate != nil)
    expectTrue(object.optionalId == object.objectId && object.optionalDecimal == 7)
    expectTrue(object.optionalKind == .dog && object.optionalString == "x")
    expectTrue(Array(object.ints) == [1, 2] && Array(object.optionalInts) == [1, nil])
    expectTrue(Array(object.kinds) == [.dog] && object.parts.map(\.city) == ["Rome"])
    expectTrue(object.strings.contains("x") && object.decimals["a"] == "2.5")
    expectEqual(object.optionals["b"], .some(nil))
  }

  @Test func `Encoded values read back, nil and all`() throws {
    let object = try decode("\(Self.required),\(Self.collections)")
    let text = try encode(object)
    expectTrue(text.contains(#""optionalInt":null"#) && text.contains(#""part":null"#))
    expectTrue(text.contains(#""decimal":"1.5E2""#) && text.contains(#""optionals":{"b":null}"#))
    try expectEqual(encode(decode(Everything.self, text)), text)
  }

  @Test func `Objects with links are read and written`() throws {
    let text = """
      {"age":3,"id":"0123456789abcdef01234567","lives":[1,2],"name":"Kit","scores":{"a":1.5,\
      "b":null},"tags":["x"]}
      """
    let cat = try decode(Cat.self, text)
    expectTrue(cat.name == "Kit" && cat.age == 3 && Array(cat.lives) == [1, 2])
    expectTrue(cat.scores["a"] == 1.5 && cat.scores["b"] == .some(nil) && cat.tags.contains("x"))
    try expectEqual(encode(cat), text)
    let box = try decode(Box.self, "{\"cats\":[\(text),\(text)]}")
    expectTrue(box.cat == nil && box.cats.map(\.age) == [3, 3])
  }

  @Test
  func `Optional properties may be null or missing, and are nil then, not their default`() throws {
    let object = try decode("\(Self.required),\(Self.collections),\"optionalInt\":null")
    expectTrue(object.optionalInt == nil && object.optionalKind == nil && object.part == nil)
    let defaulted = try decode(Defaulted.self, #"{"name":"a"}"#)
    expectTrue(defaulted.name == "a" && defaulted.note == nil)
  }

  @Test func `Required properties and collections may be neither null nor missing`() throws {
    #expect(throws: DecodingError.self) { try decode(Self.required) }
    #expect(throws: DecodingError.self) { try decode(Self.collections) }
    #expect(throws: DecodingError.self) {
      try decode(
        "\(Self.required),\(Self.collections)".replacing("\"int\":1", with: "\"int\":null"))
    }
    #expect(throws: DecodingError.self) { try decode(Defaulted.self, "{}") }
  }

  @Test(
    arguments: [
      ("\"int\":1", "\"int\":\"x\"", "int"), ("\"bool\":true", "\"bool\":1", "bool"),
      ("\"kind\":\"cat\"", "\"kind\":\"horse\"", "kind"),
      ("\"decimal\":\"1.5E2\"", "\"decimal\":\"abc\"", "decimal"),
      ("\"objectId\":\"12", "\"objectId\":\"", "objectId"),
      ("\"ints\":[1,2]", "\"ints\":5", "ints"),
    ])
  func `A value of another type, or an invalid one, is an error that names the key`(
    old: String, new: String, key: String
  ) throws {
    let text = "\(Self.required),\(Self.collections)".replacing(old, with: new)
    do {
      _ = try decode(text)
      Issue.record("'\(key)' should be an error")
    } catch let error as DecodingError {
      let path =
        switch error {
        case .dataCorrupted(let context), .typeMismatch(_, let context),
          .valueNotFound(_, let context), .keyNotFound(_, let context):
          context.codingPath
        @unknown default: [] as [any CodingKey]
        }
      expectEqual(path.first?.stringValue, key)
    }
  }

  @Test func `Keys that name no property are ignored`() throws {
    try expectEqual(decode("\(Self.required),\(Self.collections),\"more\":[1]").int, 1)
  }

  @Test func `Results are arrays, if objects of a realm can be encoded`() throws {
    let file = try TestFile()
    try file.open([Written.self]) { realm in
      try realm.write {
        for name in ["b", "a"] { realm.create(Written.self, value: ["name": name]) }
        let links = realm.objects(Written.self)
        links.last?.friend = links.first
      }
      let objects = realm.objects(Written.self)
      try expectEqual(encode(objects.sorted(byKeyPath: "name")), #"["a","b"]"#)
      let first = try #require(objects.first)
      expectTrue(objects.last?.friend?.name == "b" && objects.map(\.name) == ["b", "a"])
      expectTrue(first.friends.count == 1 && first.friends.map(\.name) == ["a"])
      try expectEqual(encode(first.friends), #"["a"]"#)
    }
  }

  @Test func `An object of a realm says how it could be encoded`() throws {
    let file = try TestFile()
    try file.open([Defaulted.self]) { realm in
      let object = try decode(Defaulted.self, #"{"name":"b"}"#)
      try realm.write { realm.add(object) }
      let error = #expect(throws: EncodingError.self) { try encode(object) }
      expectTrue("\(error.map { "\($0)" } ?? "")".contains("Implement 'encode(to:)' in the class"))
      try expectEqual(encode(Defaulted(value: object)), #"{"name":"b","note":null}"#)
    }
  }
}

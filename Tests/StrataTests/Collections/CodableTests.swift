import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Models and collections as JSON.
@Suite struct CodableTests {
  final class Cat: Object, Codable {
    @Persisted var name = "Tom"
    @Persisted var age: Int?
    @Persisted var id: ObjectId
    @Persisted var lives: List<Int>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Double?>
  }

  final class Box: Object, Codable {
    @Persisted var cat: Cat?
    @Persisted var cats: List<Cat>
  }

  private func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  @Test func `Objects are read and written`() throws {
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

  @Test func `Optional properties may be left out, and required ones may not`() throws {
    let rest = "\"id\":\"0123456789abcdef01234567\",\"lives\":[],\"scores\":{},\"tags\":[]"
    try expectNil(decode(Cat.self, "{\"name\":\"A\",\(rest)}").age)
    try expectNil(decode(Cat.self, "{\"name\":\"A\",\"age\":null,\(rest)}").age)
    #expect(throws: DecodingError.self) { try decode(Cat.self, "{\(rest)}") }
  }

  @Test func `Objects of a realm don't encode themselves`() throws {
    final class Plain: Object, Codable { @Persisted var name = "a" }
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([Plain.self]))
    let plain = try decode(Plain.self, "{\"name\":\"b\"}")
    try realm.write { realm.add(plain) }
    expectEqual(plain.name, "b")
    #expect(throws: EncodingError.self) { try encode(plain) }
    try expectEqual(encode(Plain(value: plain)), "{\"name\":\"b\"}")
  }
}

import Foundation
import StrataStorage
import TestKit
import Testing

@Suite struct ObjectIdTests {
  // MARK: Texts

  @Test(arguments: [
    "000000000000000000000000", "0123456789abcdef01234567", "ffffffffffffffffffffffff",
    "5f2c1b3a9d8e7f6a5b4c3d2e",
  ])
  func `A text of 24 digits reads back the same`(text: String) throws {
    let id = try ObjectId(string: text)
    expectTrue(id.stringValue == text && id.description == text)
    try expectEqual(ObjectId(string: text.uppercased()), id)
  }

  @Test(arguments: [
    ("", "0 characters"), ("0123456789abcdef0123456", "23 characters"),
    ("0123456789abcdef012345678", "25 characters"), ("0123456789abcdef0123456g", "among these"),
    ("0123456789abcdef012345 7", "among these"), ("０123456789abcdef012345", "22 characters"),
    ("-123456789abcdef01234567", "among these"), ("0x23456789abcdef01234567", "among these"),
  ])
  func `Any other text is refused with the reason`(text: String, reason: String) throws {
    let error = #expect(throws: RealmError.self) { try ObjectId(string: text) }
    expectEqual(error?.code, .fail)
    expectEqual(error?.message.contains("'\(text)' is not an ObjectId"), true)
    expectEqual(error?.message.contains(reason), true)
  }

  @Test func `A literal is an id`() {
    expectEqual(ObjectId("0123456789abcdef01234567").stringValue, "0123456789abcdef01234567")
  }

  @Test func `The id without arguments is zero`() {
    expectEqual(ObjectId().stringValue, "000000000000000000000000")
    expectEqual(ObjectId(), ObjectId("000000000000000000000000"))
  }

  @Test func `Ids are coded as texts`() throws {
    let id = ObjectId("0123456789abcdef01234567")
    let json = try JSONEncoder().encode([id])
    expectEqual(String(decoding: json, as: UTF8.self), #"["0123456789abcdef01234567"]"#)
    try expectEqual(JSONDecoder().decode([ObjectId].self, from: json), [id])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ObjectId].self, from: Data(#"["0123"]"#.utf8))
    }
  }

  // MARK: Order

  @Test func `Ids sort as their texts do`() throws {
    var random = SplitMix64(seed: 3)
    let texts = (0..<500).map { _ in
      (0..<24).map { _ in String(random.next() % 16, radix: 16) }.joined()
    }
    let ids = try texts.map { try ObjectId(string: $0) }
    expectEqual(ids.sorted().map(\.stringValue), texts.sorted())
    expectTrue(ObjectId("00000000000000000000000f") < ObjectId("000000000000000100000000"))
  }

  // MARK: New ids

  @Test func `A new id says when it was made`() {
    let before = Date().timeIntervalSince1970.rounded(.down)
    let id = ObjectId.generate()
    let made = id.timestamp.timeIntervalSince1970
    expectTrue(made >= before && made <= Date().timeIntervalSince1970)
  }

  @Test func `Ids of one process share five bytes, and count`() {
    let ids = (0..<1_000).map { _ in ObjectId.generate() }
    expectEqual(Set(ids).count, 1_000)
    let texts = ids.map(\.stringValue)
    expectEqual(Set(texts.map { $0.dropFirst(8).prefix(10) }).count, 1)
    expectEqual(Set(texts.map { $0.suffix(6) }).count, 1_000)
  }

  @Test func `An id has the time and the numbers it is made of`() {
    let date = Date(timeIntervalSince1970: 0x5F2C_1B3A)
    let id = ObjectId(timestamp: date, machineId: 0x1_ABCDEF, processId: 0x1_1234)
    expectTrue(id.stringValue.hasPrefix("5f2c1b3aabcdef1234"))
    expectEqual(id.timestamp, date)
    expectTrue(ObjectId(timestamp: date, machineId: 0, processId: 0) != id)
    let new = ObjectId.generate()
    expectTrue(id < new && new > id && id <= id && new >= id)
  }

  @Test(arguments: [
    (-1.0, 0.0), (0.9, 0), (4_294_967_295, 4_294_967_295), (1e12, 4_294_967_295), (.nan, 0),
  ])
  func `Times out of range are moved into it`(seconds: Double, kept: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    let id = ObjectId(timestamp: date, machineId: -1, processId: -1)
    expectEqual(id.timestamp.timeIntervalSince1970, kept)
  }
}

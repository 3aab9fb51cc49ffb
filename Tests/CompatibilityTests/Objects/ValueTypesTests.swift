import Foundation
import Strata
import TestKit
import Testing

/// `ObjectId` and `AnyRealmValue` as values.
@Suite("Types of values") struct ValueTypesTests {
  @Test
  func `An ObjectId is made of 24 hexadecimal digits, and prints them in lower case`() throws {
    let text = "1234567890abcdef12345678"
    try expectEqual(ObjectId(string: text).stringValue, text)
    try expectEqual(ObjectId(string: text.uppercased()), ObjectId("1234567890abcdef12345678"))
    expectEqual("\(ObjectId("1234567890abcdef12345678"))", text)
    expectEqual(ObjectId().stringValue, "000000000000000000000000")
    for wrong in ["", "1234", text + "0", "1234567890abcdef1234567g"] {
      #expect(throws: Realm.Error.self) { try ObjectId(string: wrong) }
    }
  }

  @Test func `New ObjectIds are unique, and sort by their time`() {
    let ids = (0..<1_000).map { _ in ObjectId.generate() }
    expectEqual(Set(ids).count, 1_000)
    expectTrue(abs(ids[0].timestamp.timeIntervalSinceNow) < 60)
    let early = ObjectId(timestamp: Date(timeIntervalSince1970: 5), machineId: 1, processId: 2)
    expectEqual(early.timestamp, Date(timeIntervalSince1970: 5))
    expectTrue(early < ids[0] && ids[0] > early && early <= early && ids[0] >= early)
  }

  @Test func `ObjectIds are coded as texts`() throws {
    let ids = [ObjectId("1234567890abcdef12345678")]
    let data = try JSONEncoder().encode(ids)
    expectEqual(String(decoding: data, as: UTF8.self), #"["1234567890abcdef12345678"]"#)
    try expectEqual(JSONDecoder().decode([ObjectId].self, from: data), ids)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ObjectId].self, from: Data(#"["x"]"#.utf8))
    }
  }

  @Test func `AnyRealmValues of different types are different, whatever they hold`() {
    expectTrue(AnyRealmValue.int(1) != .double(1) && AnyRealmValue.int(1) != .bool(true))
    expectTrue(AnyRealmValue.string("1") != .int(1) && AnyRealmValue.float(1) != .double(1))
    expectTrue(AnyRealmValue.int(1) == 1 && AnyRealmValue.string("a") == "a")
    expectTrue(AnyRealmValue.none == nil && AnyRealmValue.int(0) != .none)
    expectEqual(Set<AnyRealmValue>([.int(1), .int(1), .double(1)]).count, 2)
  }

  @Test func `An AnyRealmValue gives its value only to a request for its type`() {
    let values: [AnyRealmValue] = [
      .int(1), .bool(true), .float(1), .double(1), .string("a"), .data(Data()), .date(Date()),
      .objectId(.generate()), .decimal128(1), .uuid(UUID()), .none,
    ]
    for value in values {
      let found: [Any?] = [
        value.intValue, value.boolValue, value.floatValue, value.doubleValue, value.stringValue,
        value.dataValue, value.dateValue, value.objectIdValue, value.decimal128Value,
        value.uuidValue,
      ]
      expectEqual(found.count { $0 != nil }, (value == .none ? 0 : 1), "\(value)")
    }
  }
}

import Foundation
import Strata
import TestKit
import Testing

@Suite struct AnyRealmValueTests {
  typealias Dog = Kennel.Dog

  @Test func `Each case has its value, and no other`() {
    let dog = Dog("Rex")
    let (date, id, uuid) = (Date(timeIntervalSince1970: 1), ObjectId.generate(), UUID())
    expectTrue(AnyRealmValue.int(1).intValue == 1 && AnyRealmValue.bool(true).boolValue == true)
    expectTrue(AnyRealmValue.float(1).floatValue == 1 && AnyRealmValue.double(2).doubleValue == 2)
    expectEqual(AnyRealmValue.string("a").stringValue, "a")
    expectEqual(AnyRealmValue.data(Data([1])).dataValue, Data([1]))
    expectEqual(AnyRealmValue.date(date).dateValue, date)
    expectEqual(AnyRealmValue.objectId(id).objectIdValue, id)
    expectEqual(AnyRealmValue.decimal128("1.5").decimal128Value, "1.5")
    expectEqual(AnyRealmValue.uuid(uuid).uuidValue, uuid)
    expectEqual(AnyRealmValue.object(dog).object(Dog.self), dog)
    expectNil(AnyRealmValue.object(dog).object(Kennel.Person.self))
    expectTrue(AnyRealmValue().rawValue == nil && AnyRealmValue() == .none)
    let values: [AnyRealmValue] = [
      .int(1), .bool(true), .float(1), .double(1), .string("a"), .data(Data()), .date(date),
      .objectId(id), .decimal128(1), .uuid(uuid), .none,
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

  @Test func `Values of different types are different, whatever they hold`() {
    expectTrue(AnyRealmValue.int(1) != .double(1) && AnyRealmValue.int(1) != .bool(true))
    expectTrue(AnyRealmValue.string("1") != .int(1) && AnyRealmValue.float(1) != .double(1))
    expectTrue(AnyRealmValue.int(1) == 1 && AnyRealmValue.string("a") == "a")
    expectTrue(AnyRealmValue.none == nil && AnyRealmValue.int(0) != .none)
    expectEqual(Set<AnyRealmValue>([.int(1), .int(1), .double(1)]).count, 2)
  }

  @Test func `A literal is a value of its own type`() {
    let values: [AnyRealmValue] = [1, 1.5, true, "a", nil]
    expectEqual(values, [.int(1), .double(1.5), .bool(true), .string("a"), AnyRealmValue.none])
    expectEqual(values.map(\.description), ["1", "1.5", "true", "a", "(null)"])
  }

  @Test func `A property read by name is the value itself`() throws {
    try Kennel.inMemoryAndInFile { person in
      person["anything"] = 3
      expectTrue(person.anything == .int(3) && person["anything"] as? Int == 3)
      person["anything"] = Kennel.Size.large
      expectEqual(person.anything, .int(2))
      person["anything"] = Kennel.Price(cents: 7)
      expectEqual(person.anything, .int(7))
      person["anything"] = AnyRealmValue.string("a")
      expectEqual(person["anything"] as? String, "a")
      person["anything"] = Dog("Rex")
      expectEqual((person["anything"] as? Dog)?.name, "Rex")
      person["anything"] = nil
      expectTrue(person.anything == .none && person["anything"] == nil)
    }
  }

  @Test func `A value without a case doesn't fit`() {
    for value in [
      Set([1]) as Any, [URL(fileURLWithPath: "/")] as Any, URL(fileURLWithPath: "/") as Any,
      Kennel.Address(),
    ] {
      expectIssue("for 'mixed?' property 'Person.anything'.") {
        _ = Kennel.Person(value: ["anything": value])
      }
    }
  }
}

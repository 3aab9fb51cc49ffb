import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Objects whose changed values are read with one statement.
@Suite struct ChangedTogetherTests {
  enum Kind: String, PersistableEnum {
    case small, large
  }

  struct Point: CustomPersistable, Equatable {
    var text: String
    init(_ text: String) { self.text = text }
    init(persistedValue: String) { text = persistedValue }
    var persistableValue: String { text }
  }

  final class Thing: Object {
    @Persisted var number = 0
    @Persisted var title = ""
    @Persisted var ratio = 0.5
    @Persisted var width: Float?
    @Persisted var date: Date?
    @Persisted var isOpen: Bool?
    @Persisted var id: UUID?
    @Persisted var bytes = Data()
    @Persisted var kind = Kind.small
    @Persisted var point = Point("start")
    @Persisted var value: AnyRealmValue
    @Persisted var other: Thing?
  }

  private static let count = 200

  private func withThings(_ body: (TestFolder, Realm) throws -> Void) throws {
    let folder = try TestFolder()
    try folder.open([Thing.self]) { realm in
      try realm.write {
        for number in 0..<Self.count { realm.create(Thing.self, value: ["number": number]) }
      }
      try body(folder, realm)
    }
    try expectTrue(folder.isSound())
  }

  private func change(_ thing: Thing, _ first: Thing?) {
    let number = thing.number
    thing.title = String(repeating: "é", count: number)
    thing.ratio = Double(number) / 3
    thing.width = number.isMultiple(of: 2) ? Float(number) : nil
    thing.date = Date(timeIntervalSince1970: Double(number))
    thing.isOpen = number.isMultiple(of: 2)
    thing.id = UUID(uuidString: String(format: "00000000-0000-0000-0000-%012d", number))
    thing.bytes = Data(repeating: 7, count: number % 5)
    thing.kind = .large
    thing.point = Point("\(number)")
    thing.value = number.isMultiple(of: 2) ? .string("\(number)") : .int(number)
    thing.other = first
  }

  private func isChanged(_ thing: Thing) -> Bool {
    let number = thing.number
    let first =
      thing.title == String(repeating: "é", count: number) && thing.ratio == Double(number) / 3
      && thing.width == (number.isMultiple(of: 2) ? Float(number) : nil)
      && thing.date == Date(timeIntervalSince1970: Double(number))
    let second =
      thing.isOpen == number.isMultiple(of: 2) && thing.kind == .large
      && thing.id?.uuidString.hasSuffix(String(format: "%012d", number)) == true
      && thing.bytes == Data(repeating: 7, count: number % 5)
    let value: AnyRealmValue = number.isMultiple(of: 2) ? .string("\(number)") : .int(number)
    return first && second && thing.point == Point("\(number)") && thing.value == value
      && thing.other?.number == 0
  }

  @Test(arguments: [1, 2, 3])
  func `Values of each type are written, of rows in a range and of others`(step: Int) throws {
    try withThings { folder, realm in
      try realm.write {
        let things = Array(realm.objects(Thing.self))
        for thing in things.reversed() where thing.number.isMultiple(of: step) {
          change(thing, things.first)
        }
      }
      try folder.open([Thing.self]) { again in
        for thing in again.objects(Thing.self).freeze() {
          let isRight =
            thing.number.isMultiple(of: step) ? isChanged(thing) : thing.title.isEmpty
          expectTrue(isRight, "\(thing)")
        }
      }
    }
  }

  @Test(arguments: [1, 3])
  func `One value that can't be stored is named, and none of the others is written`(step: Int)
    throws
  {
    try withThings { _, realm in
      expectError(beginning: "The value of 'Thing.ratio' can't be stored: ") {
        try realm.write {
          for thing in realm.objects(Thing.self) where thing.number.isMultiple(of: step) {
            thing.ratio = thing.number == 30 ? .nan : 2
          }
        }
      }
      expectTrue(realm.objects(Thing.self).allSatisfy { $0.ratio == 0.5 })
    }
  }

  @Test func `Rows at the ends of all identities are changed together`() throws {
    let folder = try TestFolder()
    try folder.write([Thing.self]) { realm in for _ in 0..<10 { realm.create(Thing.self) } }
    try folder.execute(
      "UPDATE Thing SET _id = \(Int64.min) WHERE _id = 1; "
        + "UPDATE Thing SET _id = \(Int64.max) WHERE _id = 10")
    try folder.open([Thing.self]) { realm in
      try realm.write {
        let things = realm.objects(Thing.self)
        for position in 0..<things.count { things[position].number = 5 }
      }
      expectEqual(realm.objects(Thing.self).filter("number == 5").count, 10)
    }
  }
}

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
    @Persisted(indexed: true) var id: UUID?
    @Persisted var bytes: Data?
    @Persisted var kind = Kind.small
    @Persisted var point = Point("start")
    @Persisted var value: AnyRealmValue
    @Persisted var other: Thing?
  }

  private func withThings(
    _ count: Int = 200, _ body: (TestFolder, Realm) throws -> Void
  ) throws {
    let folder = try TestFolder()
    try folder.open([Thing.self]) { realm in
      try realm.write {
        for number in 0..<count { realm.create(Thing.self, value: ["number": number]) }
      }
      try body(folder, realm)
    }
    try expectTrue(folder.isSound())
  }

  private func change(_ thing: Thing, _ first: Thing?) {
    let number = thing.number
    thing.title = Self.title(number)
    thing.ratio = Double(number) / 3
    thing.width = number.isMultiple(of: 2) ? Float(number) : nil
    thing.date = Date(timeIntervalSince1970: Double(number))
    thing.isOpen = number.isMultiple(of: 2)
    thing.id = UUID(uuidString: String(format: "00000000-0000-0000-0000-%012d", number))
    thing.bytes = Self.bytes(number)
    thing.kind = .large
    thing.point = Point("\(number)")
    thing.value = Self.value(number)
    thing.other = first
  }

  /// Some are long.
  private static func title(_ number: Int) -> String {
    String(repeating: "é", count: number % 50 == 49 ? 50_000 : number)
  }

  private static func bytes(_ number: Int) -> Data? {
    number.isMultiple(of: 3) ? nil : Data(repeating: 7, count: number % 5)
  }

  private static func value(_ number: Int) -> AnyRealmValue {
    [.none, .string("\(number)"), .int(number), .double(0.5)][number % 4]
  }

  private func isChanged(_ thing: Thing) -> Bool {
    let number = thing.number
    let first =
      thing.title == Self.title(number) && thing.ratio == Double(number) / 3
      && thing.width == (number.isMultiple(of: 2) ? Float(number) : nil)
      && thing.date == Date(timeIntervalSince1970: Double(number))
    let second =
      thing.isOpen == number.isMultiple(of: 2) && thing.kind == .large
      && thing.id?.uuidString.hasSuffix(String(format: "%012d", number)) == true
      && thing.bytes == Self.bytes(number)
    return first && second && thing.point == Point("\(number)")
      && thing.value == Self.value(number) && thing.other?.number == 0
  }

  @Test(arguments: [1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 200], [1, 2, 3])
  func `Values of each type are written, of rows in a range and of others, in any order`(
    count: Int, step: Int
  ) throws {
    try withThings(count) { folder, realm in
      let things = Array(realm.objects(Thing.self))
      try realm.write {
        for thing in things.shuffled() where thing.number.isMultiple(of: step) {
          change(thing, things.first)
        }
      }
      for thing in things where thing.number.isMultiple(of: step) {
        expectEqual(Array(realm.objects(Thing.self).where { $0.id == thing.id }), [thing])
      }
      try folder.open([Thing.self]) { again in
        for thing in again.objects(Thing.self).freeze() {
          let isRight =
            thing.number.isMultiple(of: step)
            ? isChanged(thing) : thing.title.isEmpty && thing.id == nil && thing.ratio == 0.5
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

  @Test func `Objects with different changed properties each get theirs`() throws {
    try withThings { folder, realm in
      let things = realm.objects(Thing.self)
      try realm.write {
        for thing in things {
          if thing.number.isMultiple(of: 2) { thing.title = "even" } else { thing.kind = .large }
        }
      }
      for number in 0..<200 {
        let isEven = number.isMultiple(of: 2)
        expectTrue(things[number].title == (isEven ? "even" : ""))
        expectTrue(things[number].kind == (isEven ? .small : .large))
      }
      try expectEqual(folder.number("SELECT count(*) FROM Thing WHERE title = 'even'"), 100)
    }
  }

  @Test func `Two instances of one row are one row`() throws {
    try withThings { _, realm in
      let first = Array(realm.objects(Thing.self))
      let second = Array(realm.objects(Thing.self))
      try realm.write {
        for thing in first { thing.title = "first \(thing.number)" }
        for thing in second { thing.title += ", second" }
      }
      expectEqual(first.map(\.title), (0..<200).map { "first \($0), second" })
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

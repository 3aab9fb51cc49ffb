import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// Extreme values of each type, in each kind of property, live and through a migration.
@Suite("Values at the edges")
struct EdgeValuesTests {
  static var types: [any Edged.Type] {
    [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Bool.self, Float.self, Double.self,
      String.self, Data.self, Date.self, UUID.self, ObjectId.self, Decimal128.self,
    ]
  }

  @Test(arguments: types.indices)
  func `Values at the edges read back as they were`(index: Int) throws {
    func check<T: Edged>(_: T.Type) throws { try checkValues(of: T.self) }
    try check(Self.types[index])
  }

  private func checkValues<T: Edged>(of _: T.Type) throws {
    let folder = try TestFolder()
    let values = T.edges
    try folder.open([OfEdges<T>.self]) { realm in
      try realm.write {
        for (number, value) in values.enumerated() { realm.add(edge(value, number)) }
      }
      for object in realm.objects(OfEdges<T>.self) { expect(object, values[object.number]) }
    }
    try folder.open([OfEdges<T>.self]) { realm in
      for object in realm.objects(OfEdges<T>.self) { expect(object, values[object.number]) }
    }
    try folder.open([OfEdgesNext<T>.self], version: 1, Self.block(T.self)) { realm in
      expectEqual(realm.objects(OfEdgesNext<T>.self).count, values.count)
      for object in realm.objects(OfEdgesNext<T>.self) {
        let value = values[Int(object.number) ?? -1]
        expect(object.plain, value)
        expect(object.optional, value)
        expect(object.copied, value)
        expect(object.typed, value)
        expect(object.list.first, value)
        expect(object.copiedList.last, value)
        expect(object.map["k"], value)
        expectAny(object.any, value)
        expectAny(object.copiedAny, value)
        expectAny(object.anyMap["k"], value)
      }
    }
    try expectEqual(Realm.problems(for: folder.configuration([])), [])
  }

  private static func block<T: Edged>(_: T.Type) -> MigrationBlock {
    { migration, _ in
      migration.enumerateObjects(ofType: "Edge") { old, new in
        new!["number"] = "\(old!["number"]!)"
        new!["copied"] = old!["plain"]
        let typed: T? = old!["plain"]
        new!["typed"] = typed
        new!["copiedAny"] = old!["any"]
        new!["copiedList"] = old!["list"]
      }
    }
  }

  private func edge<T: Edged>(_ value: T, _ number: Int) -> OfEdges<T> {
    let object = OfEdges<T>()
    object.number = number
    object.plain = value
    object.optional = value
    object.list.append(objectsIn: [value, value])
    object.optionals.append(objectsIn: [nil, value])
    object.set.insert(value)
    object.map["k"] = value
    let any = AnyRealmValue.converting(value) ?? .none
    object.any = any
    object.anys.append(objectsIn: [any, .none])
    object.anyMap["k"] = any
    return object
  }

  private func expect<T: Edged>(_ object: OfEdges<T>, _ value: T) {
    expect(object.plain, value)
    expect(object.optional, value)
    expectEqual(object.list.count, 2)
    for element in object.list { expect(element, value) }
    expect(object.optionals.last ?? nil, value)
    expect(object.set.first, value)
    expect(object.map["k"], value)
    expectAny(object.any, value)
    expectAny(object.anys.first, value)
    expectAny(object.anyMap["k"], value)
  }

  private func expect<T: Edged>(_ found: T?, _ value: T) {
    let isSame = found?.isIdentical(to: Self.stored(value)) == true
    expectTrue(isSame, "\(String(describing: found).prefix(200)) \("\(value)".prefix(200))")
  }

  private func expectAny<T: Edged>(_ found: AnyRealmValue?, _ value: T) {
    let raw = found?.rawValue
    if let number = value as? any FixedWidthInteger {
      expectEqual(raw as? Int, Int(number))
    } else {
      expect(raw as? T, value)
    }
  }

  /// The stored value: the file stores −0.0 as 0.0.
  private static func stored<T: Edged>(_ value: T) -> T {
    if let number = value as? Double, number == 0 { return 0.0 as? T ?? value }
    if let number = value as? Float, number == 0 { return (0 as Float) as? T ?? value }
    return value
  }

  @Test(arguments: [0, 4, 8, 11, 12])
  func `Values at the edges are keys`(index: Int) throws {
    func check<T: Edged>(_: T.Type) throws { try checkKeys(of: T.self) }
    try check(Self.types[index])
  }

  private func checkKeys<T: Edged>(of _: T.Type) throws {
    let folder = try TestFolder()
    var values: [T] = []
    for value in T.edges where !values.contains(where: { $0.isIdentical(to: value) }) {
      values.append(value)
    }
    try folder.write([KeyOfEdges<T>.self]) { realm in
      for (number, value) in values.enumerated() {
        realm.create(KeyOfEdges<T>.self, value: ["key": value, "number": number])
      }
    }
    try folder.open([KeyOfEdges<T>.self]) { realm in
      for (number, value) in values.enumerated() {
        expectEqual(realm.object(ofType: KeyOfEdges<T>.self, forPrimaryKey: value)?.number, number)
      }
      try realm.write {
        for (number, value) in values.enumerated() {
          realm.create(
            KeyOfEdges<T>.self, value: ["key": value, "number": -number], update: .modified)
        }
      }
      expectEqual(realm.objects(KeyOfEdges<T>.self).map(\.number), values.indices.map { -$0 })
    }
  }

  @Test func `Values at the edges are keys of maps`() throws {
    let folder = try TestFolder()
    var keys: [String] = []
    for key in String.edges where !keys.contains(where: { $0.isIdentical(to: key) }) {
      keys.append(key)
    }
    try folder.write([OfEdges<Int>.self]) { realm in
      let object = realm.create(OfEdges<Int>.self)
      for (number, key) in keys.enumerated() { object.map[key] = number }
    }
    try folder.open([OfEdges<Int>.self]) { realm in
      let map = try #require(realm.objects(OfEdges<Int>.self).first).map
      for (number, key) in keys.enumerated() { expectEqual(map[key], number, "\(key.prefix(100))") }
      expectEqual(map.count, keys.count)
    }
  }

  @Test func `Values that SQLite has no place for are refused, and nothing is changed`() throws {
    let folder = try TestFolder()
    try folder.open([OfEdges<Double>.self]) { realm in
      for name in ["plain", "optional", "list", "set", "map", "any"] {
        let value: Any
        switch name {
        case "list", "set": value = [Double.nan]
        case "map": value = ["k": Double.nan]
        default: value = Double.nan
        }
        expectError(containing: "can't be stored: SQLite has no NaN") {
          try realm.write {
            realm.create(OfEdges<Double>.self)
            realm.create(OfEdges<Double>.self, value: [name: value])
          }
        }
      }
      expectTrue(realm.objects(OfEdges<Double>.self).isEmpty)
    }
    let single = try TestFolder()
    try single.open([OfEdges<Float>.self]) { realm in
      expectError(beginning: "The value of 'Edge.plain' can't be stored: SQLite has no NaN") {
        try realm.write { realm.create(OfEdges<Float>.self, value: ["plain": Float.nan]) }
      }
    }
    let other = try TestFolder()
    try other.open([OfEdges<Date>.self]) { realm in
      for date in [
        Date.distantPast.addingTimeInterval(-1e10), .distantFuture.addingTimeInterval(1e15),
      ] {
        #expect(throws: Realm.Error.self) {
          try realm.write { realm.create(OfEdges<Date>.self, value: ["plain": date]) }
        }
      }
      expectTrue(realm.objects(OfEdges<Date>.self).isEmpty)
    }
  }

  @Test func `A value of any type that SQLite has no place for is refused with what to do`() throws
  {
    let folder = try TestFolder()
    try folder.open([OfEdges<Double>.self]) { realm in
      try realm.write { realm.create(OfEdges<Double>.self) }
      let object = realm.objects(OfEdges<Double>.self)[0]
      for value in [
        AnyRealmValue.float(.nan), .double(.nan), .date(.distantFuture.addingTimeInterval(1e15)),
      ] {
        let error = #expect(throws: Realm.Error.self) { try realm.write { object.any = value } }
        let name = OfEdges<Double>.className()
        expectEqual(
          error?.message,
          "The value of '\(name).any' can't be stored: SQLite has no NaN, and dates in files are "
            + "in the years 0000 to 9999. Set another value, or '.none'.")
      }
      expectEqual(object.any, .none)
    }
  }

  @Test func `Values of tens of megabytes are kept`() throws {
    let folder = try TestFolder()
    let text = String(repeating: "0123456789ab\u{0}é", count: 2_500_000)
    let data = Data(repeating: 3, count: 50_000_000)
    try folder.write([OfEdges<String>.self, KeyOfEdges<Int>.self]) { realm in
      realm.create(OfEdges<String>.self, value: ["plain": text, "list": [text], "any": data])
    }
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Edge") { old, new in
        new!["copied"] = old!["plain"]
        new!["copiedAny"] = old!["any"]
      }
    }
    try folder.open([OfEdgesNext<String>.self, KeyOfEdges<Int>.self], version: 1, block) { realm in
      let object = try #require(realm.objects(OfEdgesNext<String>.self).first)
      let isSame = object.plain == text && object.copied == text && object.list.first == text
      expectTrue(isSame)
      let isSameData = object.any.dataValue == data && object.copiedAny.dataValue == data
      expectTrue(isSameData)
    }
  }
}

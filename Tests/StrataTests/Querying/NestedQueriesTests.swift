import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Conditions on the contents of lists and dictionaries of an `AnyRealmValue`.
@Suite struct NestedQueriesTests {
  typealias Setting = Shelf.Setting
  typealias Book = Shelf.Book

  /// The value of each object, by its id.
  private static var values: [AnyRealmValue] {
    [
      .none,
      3,
      .fromArray([3]),
      .fromArray([.fromArray([1, 2.5]), "x"]),
      .fromDictionary(["a": 3, "b": .fromDictionary(["c": .fromArray([1, 9])])]),
      .fromDictionary(["a": "Text", "b": .none]),
      .fromArray([.decimal128(3), .date(Date(timeIntervalSince1970: 0))]),
      .fromArray([]),
    ]
  }

  private func ids(_ settings: some Sequence<Setting>) -> [Int] { settings.map(\.id).sorted() }

  /// Runs a closure on a file with an object for each value, and its ids.
  private func inFile(_ body: (Realm, Results<Setting>) throws -> Void) throws {
    let folder = try TestFolder()
    try folder.open(Shelf.types) { realm in
      try realm.write {
        for (id, value) in Self.values.enumerated() {
          let setting = realm.create(Setting.self, value: ["id": id])
          setting.value = value
          setting.named["k"] = value
          setting.values.append(value)
          if id > 0 { setting.next = realm.object(ofType: Setting.self, forPrimaryKey: id - 1) }
        }
      }
      try body(realm, realm.objects(Setting.self))
    }
  }

  /// The objects for which a condition is true must be the same in a file, in memory, and for the
  /// format string that it is.
  private func expect(
    _ condition: @escaping (Query<Setting>) -> Query<Bool>, _ format: String, _ expected: [Int],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try inFile { realm, settings in
      expectEqual(ids(settings.where(condition)), expected, sourceLocation: sourceLocation)
      expectEqual(ids(settings.filter(format)), expected, sourceLocation: sourceLocation)
      let inMemory = List<Setting>()
      for setting in settings {
        let copy = Setting(value: ["id": setting.id])
        copy.value = setting.value
        copy.named["k"] = setting.value
        inMemory.append(copy)
      }
      for (copy, next) in zip(inMemory.dropFirst(), inMemory) { copy.next = next }
      expectEqual(ids(inMemory.where(condition)), expected, sourceLocation: sourceLocation)
    }
  }

  @Test func `Elements by their positions and keys`() throws {
    try expect({ $0.value[0] == 3 }, "value[0] == 3", [2, 6])
    try expect({ $0.value["a"] == 3 }, "value['a'] == 3", [4])
    try expect({ $0.value[0][1] > 2 }, "value[0][1] > 2", [3])
    try expect({ $0.value["b"]["c"][1] == 9 }, "value['b']['c'][1] == 9", [4])
    try expect({ $0.value[1] == .string("x") }, "value[1] == 'x'", [3])
    try expect({ $0.value[0] != 3 }, "value[0] != 3", [0, 1, 3, 4, 5, 7])
    try expect({ $0.value["b"] == AnyRealmValue.none }, "value['b'] == nil", [0, 1, 2, 3, 5, 6, 7])
    try expect({ $0.value[0].in([3, "x"]) }, "value[0] IN {3, 'x'}", [2, 6])
    try expect({ $0.next.value[0] == 3 }, "next.value[0] == 3", [3, 7])
    try expect({ $0.named["k"][0] == 3 }, "named['k'][0] == 3", [2, 6])
  }

  @Test func `Any element of a list, and any value of a dictionary`() throws {
    try expect({ $0.value.any == 3 }, "ANY value[ANY] == 3", [2, 4, 6])
    try expect({ $0.value[.any] == .string("x") }, "ANY value[ANY] == 'x'", [3])
    try expect({ $0.value.any.any > 2 }, "ANY value[ANY][ANY] > 2", [3])
    try expect({ $0.value["b"].any[1] == 9 }, "ANY value['b'][ANY][1] == 9", [4])
    try expect({ !($0.value.any == 3) }, "NONE value[ANY] == 3", [0, 1, 3, 5, 7])
    try expect({ $0.next.value.any == 3 }, "ANY next.value[ANY] == 3", [3, 5, 7])
  }

  @Test func `Objects, and values of a collection`() throws {
    try inFile { realm, settings in
      let book = Book()
      try realm.write { settings[7].value = .fromArray([.object(book)]) }
      expectEqual(ids(settings.where { $0.value[0] == .object(book) }), [7])
      expectEqual(ids(settings.where { $0.value.any == .object(book) }), [7])
      expectEqual(ids(settings.filter("ANY value[ANY] == %@", book)), [7])
      expectEqual(ids(settings.filter("value[%d] == %@", 0, book)), [7])
      expectEqual(ids(settings.filter("value[%@] == %@", "a", 3)), [4])
      expectEqual(ids(settings.filter("value[1] < %@", Date())), [6])
      expectEqual(ids(settings.filter("value['a'] ==[c] 'TEXT'")), [5])
      try realm.write { settings[0].values.append(objectsIn: Self.values) }
      expectEqual(settings[0].values.where { $0[0] == 3 }.count, 2)
    }
  }

  @Test(arguments: [false, true])
  func `A number that is none is not nil`(isInFile: Bool) throws {
    let values: [AnyRealmValue] = [
      .none, .fromArray([.double(.nan)]), .fromArray([.none]),
      .fromDictionary(["a": .float(.nan)]), .fromArray([1]),
    ]
    let settings = List<Setting>()
    for (id, value) in values.enumerated() {
      settings.append(Setting(value: ["id": id]))
      settings[id].value = value
    }
    let folder = try TestFolder()
    try folder.open(Shelf.types) { realm in
      if isInFile { try realm.write { realm.add(settings) } }
      for (condition, expected) in [
        ("value[0] == nil", [0, 2, 3]), ("value[0] != nil", [1, 4]),
        ("NOT value[0] == nil", [1, 4]), ("value['a'] == nil", [0, 1, 2, 4]),
        ("value[0] IN {nil, 1}", [0, 2, 3, 4]), ("NOT value[0] IN {nil, 1}", [1]),
        ("ANY value[ANY] == nil", [2]), ("ANY value[ANY] != nil", [1, 3, 4]),
        ("NONE value[ANY] == nil", [0, 1, 3, 4]), ("value[0] == value[0]", [0, 2, 3, 4]),
        ("value[0] == value['a']", [0, 2]), ("value[0] != 1", [0, 1, 2, 3]),
      ] {
        let found =
          isInFile ? realm.objects(Setting.self).filter(condition) : settings.filter(condition)
        expectEqual(ids(found), expected, "\(condition)")
      }
    }
  }

  @Test func `Each list is a value of its own where they are told apart`() throws {
    try inFile { realm, settings in
      expectEqual(settings.distinct(by: ["value"]).count, Self.values.count)
    }
  }

  @Test func `Only an AnyRealmValue has elements at positions`() throws {
    try inFile { realm, settings in
      let subscripts = "only dictionaries and realm Any support subscript predicates"
      for (format, text) in [
        ("name[0] == 3", "Invalid keypath 'name[0]': \(subscripts)"),
        ("ANY values[0] == 3", "Invalid keypath 'values[0]': \(subscripts)"),
        ("value[-1] == 3", "Invalid keypath 'value[-1]': \(subscripts)"),
        ("ANY name[ANY] == 3", "Invalid keypath 'name[ANY]': \(subscripts)"),
        ("value[0].x == 3", "Cannot apply key path to Map subscripts."),
        ("value[0].@count == 3", "@count"),
      ] {
        #expect {
          try realm.write { _ = settings.filter(format).count }
        } throws: {
          "\($0)".contains(text)
        }
      }
    }
  }
}

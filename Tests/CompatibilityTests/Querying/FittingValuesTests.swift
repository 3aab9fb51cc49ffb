import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The valid constants for each property, and the operators for each type.
@Suite struct FittingValuesTests {
  private static let id = ObjectId("507f1f77bcf86cd799439011")

  /// By properties, what fits and what doesn't.
  private static let rows: [(String, fits: [any Sendable], misfits: [any Sendable])] = [
    (
      "int", [3, Int8(3), UInt64(3), 3.0, Float(3), "3.0" as Decimal128], [3.5, "3", true, Data()]
    ),
    ("small", [3, 300, 3.0], [0.5, "3", UUID()]),
    ("bool", [true, false, 0, 1], [2, -1, 1.0, "true"]),
    ("float", [1, 1.7, Float(1.7), "1.5" as Decimal128, Double.infinity], [1e300, "1.7", true]),
    ("double", [1, 1.7, Float(1.7), 1e300, "1.5" as Decimal128], ["1.7", true, Date()]),
    ("decimal", [1, 1.5, Float(1.5), "1.5" as Decimal128, "1.5", "-2E+3"], ["x", "", true]),
    ("string", ["x", "x"[...], Character("x")], [1, true, Data(), UUID()]),
    ("data", [Data([1])], ["x", 1]),
    ("date", [Date()], [1.5, "2020-01-01"]),
    ("uuid", [UUID()], ["00000000-0000-0000-0000-000000000001", 1]),
    ("objectId", [id], ["507f1f77bcf86cd799439011", 1]),
    ("kind", [QueriedItem.Kind.first, "first"], [1]),
    ("mixed", [1, true, 1.5, "x", Data(), Date(), UUID(), id, "1" as Decimal128], []),
    ("name", ["x"], [1]),
  ]

  private func withItems(_ body: (Results<QueriedItem>, Realm) throws -> Void) throws {
    try TestFile().open(Queried.types) { realm in
      try body(realm.objects(QueriedItem.self), realm)
    }
  }

  @Test(arguments: rows.indices)
  func `Constants that fit a property are compared, and others are mistakes`(_ row: Int) throws {
    let (property, fits, misfits) = Self.rows[row]
    try withItems { items, _ in
      for value in fits {
        #expect(throws: Never.self, "\(property) == \(value)") {
          _ = try items.filter(validating: "\(property) == %@", value).count
          _ = try items.filter(validating: "\(property) IN %@", [value]).count
        }
      }
      for value in misfits {
        let error = #expect(throws: RealmError.self, "\(property) == \(value)") {
          _ = try items.filter(validating: "\(property) == %@", value)
        }
        expectTrue(
          error?.message.hasPrefix("Cannot compare value '") == true
            && error?.message.contains("of type '\(type(of: value))' to property '\(property)'")
              == true,
          "\(error?.message ?? "")")
      }
    }
  }

  @Test func `Nil fits what may be nil, and is a mistake for what is required`() throws {
    try withItems { items, _ in
      let none = Int?.none as Any
      for property in Self.rows.map(\.0) + ["link", "link.age", "link.name"]
      where property != "name" {
        #expect(throws: Never.self, "\(property)") {
          _ = try items.filter(validating: "\(property) == %@", none).count
        }
      }
      for (property, type) in [("age", "int"), ("name", "string")] {
        expectError(
          "Cannot compare value 'nil' to property '\(property)' of type '\(type)': it is never "
            + "nil."
        ) {
          _ = try items.filter(validating: "\(property) == %@", none)
        }
      }
    }
  }

  @Test func `Links take objects of their class, and those that are in no file equal none`() throws
  {
    let file = try TestFile()
    try file.open(Queried.types) { realm in
      try realm.write {
        let first = realm.create(QueriedItem.self, value: ["id": 1])
        realm.create(QueriedItem.self, value: ["id": 2, "link": first])
        realm.create(QueriedOther.self)
      }
      let items = realm.objects(QueriedItem.self)
      expectEqual(items.filter("link == %@", items[0]).ids, [2])
      expectEqual(items.filter("link != %@", items[0]).ids, [1])
      expectEqual(items.filter("link IN %@", [items[0], items[1]]).ids, [2])
      expectEqual(items.filter("SELF == %@", items[1]).ids, [2])
      expectTrue(items.filter("link == %@", QueriedItem()).ids.isEmpty)
      expectEqual(items.filter("link != %@", QueriedItem()).ids, [1, 2])
      let deleted = QueriedItem()
      try realm.write {
        realm.add(deleted)
        realm.delete(deleted)
      }
      expectTrue(items.filter("link == %@", deleted).ids.isEmpty)
      let other = realm.objects(QueriedOther.self)[0]
      expectError(
        "Cannot compare value 'QueriedOther' of type 'QueriedOther' to property "
          + "'link' of type 'QueriedItem'."
      ) {
        _ = try items.filter(validating: "link == %@", other)
      }
    }
  }

  @Test func `An object of another file is a mistake`() throws {
    let file = try TestFile()
    let second = try TestFile()
    try second.write(Queried.types) { _ = $0.create(QueriedItem.self) }
    try file.open(Queried.types) { realm in
      try second.open(Queried.types) { other in
        expectError(
          "Object must be from the Realm being queried. Look it up in this realm, "
            + "by its primary key."
        ) {
          _ = try realm.objects(QueriedItem.self).filter(
            validating: "link == %@", other.objects(QueriedItem.self)[0])
        }
      }
    }
  }

  @Test(arguments: Queried.kinds, ["<", "<=", ">", ">=", "BETWEEN"])
  func `Only types with an order are ordered`(_ kind: Queried.Kind, _ name: String) throws {
    let isAllowed =
      kind.isOrdered && (name != "BETWEEN" || !kind.isText)
    let argument: Any = name == "BETWEEN" ? [kind.values[0], kind.values[1]] : kind.values[0]
    try expect("\(kind.property) \(name) %@", argument, isAllowed, name, kind)
  }

  @Test(
    arguments: Queried.kinds, ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "==[c]", "!=[cd]"])
  func `Only texts and data are searched, and compared without case`(
    _ kind: Queried.Kind, _ name: String
  ) throws {
    try expect("\(kind.property) \(name) %@", kind.values[0], kind.isText, name, kind)
  }

  private func expect(
    _ format: String, _ argument: Any, _ isAllowed: Bool, _ name: String, _ kind: Queried.Kind
  ) throws {
    try withItems { items, _ in
      do throws(RealmError) {
        _ = try items.filter(validating: format, argument).count
        expectTrue(isAllowed || kind.property == "mixed", "\(format)")
      } catch {
        expectFalse(isAllowed, "\(format)")
        let type = kind.property == "mixed" ? "int" : kind.type
        expectEqual(error.message, "Operator '\(name)' not supported for type '\(type)'.")
      }
    }
  }

  @Test(arguments: ["<", "<=", ">", ">="], ["[c]", "[d]", "[cd]"])
  func `Texts are ordered by their bytes only`(_ name: String, _ options: String) throws {
    try withItems { items, _ in
      expectError("Lexicographical comparisons must be case-sensitive. Leave out '[c]' and '[d]'.")
      {
        _ = try items.filter(validating: "string \(name)\(options) 'x'")
      }
    }
  }
}

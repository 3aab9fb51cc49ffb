import StrataSchema
import TestKit
import Testing

@Suite("The zero of a type")
struct StoredValueTests {
  @Test(
    arguments: [
      (PropertyType.int, StoredValue.integer(0)),
      (.bool, .integer(0)),
      (.float, .real(0)),
      (.double, .real(0)),
      (.string, .text("")),
      (.data, .blob([])),
      (.date, .text("1970-01-01 00:00:00.000000000")),
      (.UUID, .text("00000000-0000-0000-0000-000000000000")),
      (.objectId, .text("000000000000000000000000")),
      (.decimal128, .text("0")),
      (.any, .null),
      (.object, .null),
      (.linkingObjects, .null),
    ])
  func `The zero of a type is what Realm gives to a required property that was never set`(
    type: PropertyType, expected: StoredValue
  ) {
    expectEqual(StoredValue.zero(for: type), expected)
  }
}

import Foundation
import RealmFileKit
import StrataRealmFile
import StrataSchema
import TestKit
import Testing

@testable import Strata
@testable import StrataRealmImport
@testable import StrataStorage

@Suite("Converted values")
struct ConvertedValueTests {
  @Test func `Values become what a property of their type stores`() throws {
    let uuid = try #require(UUID(uuidString: "11111111-2222-4333-8444-ABCDEFABCDEF"))
    let pairs: [(RealmValue, ConvertedValue)] = [
      (.null, .null), (.int(.min), .stored(.integer(.min), .int)),
      (.bool(true), .stored(.integer(1), .bool)), (.float(1.5), .stored(.real(1.5), .float)),
      (.double(-0.25), .stored(.real(-0.25), .double)),
      (.double(.infinity), .stored(.real(.infinity), .double)),
      (.string("a\0b"), .stored(.text("a\0b"), .string)),
      (.data(Data([0, 255])), .stored(.blob([0, 255]), .data)),
      (.uuid(uuid), .stored(.text(uuid.uuidString), .UUID)),
    ]
    for (value, converted) in pairs { expectEqual(ConvertedValue(value), converted) }
  }

  @Test func `Not a number has no place in a column`() {
    expectEqual(ConvertedValue(.double(.nan)), .notANumber(.double))
    expectEqual(ConvertedValue(.float(.nan)), .notANumber(.float))
  }

  @Test func `Dates are those that Realm shows its users`() {
    let dates: [(Int64, Int32, String)] = [
      (0, 0, "1970-01-01 00:00:00.000000000"), (-1, -500_000_000, "1969-12-31 23:59:58.500000000"),
      (-62_135_596_800, 0, "0001-01-01 00:00:00.000000000"),
      (253_402_300_799, 0, "9999-12-31 23:59:59.000000000"),
    ]
    for (seconds, nanoseconds, text) in dates {
      let date = RealmDate(seconds: seconds, nanoseconds: nanoseconds)
      expectEqual(ConvertedValue(.date(date)), .stored(.text(text), .date))
    }
    let exact = RealmDate(seconds: 1_700_000_000, nanoseconds: 123_456_789)
    expectEqual(
      ConvertedValue(.date(exact)), .stored(.text(DateText.encode(exact.date) ?? ""), .date))
    for seconds in [.min, .max, 253_402_300_800, -62_167_219_201] as [Int64] {
      let date = RealmDate(seconds: seconds, nanoseconds: 0)
      expectEqual(ConvertedValue(.date(date)), .yearOutOfRange(date.date))
    }
  }

  @Test func `All decimals of the real files keep their digits`() throws {
    var count = 0
    for name in ["all-types", "integers"] {
      let file = try RealmFile(RealFile.url(name))
      for item in file.classes {
        let objects = try file.objects(item.name)
        while let object = try objects.next() {
          for case .decimal(let number) in object.values {
            count += 1
            let converted = Decimal128(number)
            guard case .stored(.text(let text), .decimal128) = ConvertedValue(.decimal(number))
            else {
              Issue.record("\(number) has no text")
              continue
            }
            expectEqual(text, converted.exactText)
            guard let parts = converted.parts else {
              expectEqual(text, number.description)
              continue
            }
            let sign = parts.isNegative ? "-" : ""
            expectEqual("\(sign)\(parts.coefficient)E\(parts.exponent)", number.description)
          }
        }
      }
    }
    expectTrue(count > 100)
  }

  @Test func `Links and collections are left to whoever converts`() {
    let link = RealmLink(className: "Dog", objectKey: 3)
    expectEqual(ConvertedValue(.object(link)), .link(link))
    expectEqual(ConvertedValue(.list([])), .collection)
    expectEqual(ConvertedValue(.set([])), .collection)
    expectEqual(ConvertedValue(.dictionary([])), .collection)
  }
}

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
    let pairs: [(RealmValue, StoredValue)] = [
      (.null, .null), (.int(.min), .integer(.min)), (.bool(true), .integer(1)),
      (.float(1.5), .real(1.5)), (.double(-0.25), .real(-0.25)),
      (.double(.infinity), .real(.infinity)), (.string("a\0b"), .text("a\0b")),
      (.data(Data([0, 255])), .blob([0, 255])), (.uuid(uuid), .text(uuid.uuidString)),
    ]
    for (value, stored) in pairs { expectEqual(ConvertedValue(value), .stored(stored)) }
  }

  @Test func `Not a number has no place in a column`() {
    expectEqual(ConvertedValue(.double(.nan)), .refused(.notANumber))
    expectEqual(ConvertedValue(.float(.nan)), .refused(.notANumber))
  }

  @Test func `Dates are those that Realm shows its users`() {
    let dates: [(Int64, Int32, String)] = [
      (0, 0, "1970-01-01 00:00:00.000000000"), (-1, -500_000_000, "1969-12-31 23:59:58.500000000"),
      (-62_135_596_800, 0, "0001-01-01 00:00:00.000000000"),
      (253_402_300_799, 0, "9999-12-31 23:59:59.000000000"),
    ]
    for (seconds, nanoseconds, text) in dates {
      let date = RealmDate(seconds: seconds, nanoseconds: nanoseconds)
      expectEqual(ConvertedValue(.date(date)), .stored(.text(text)))
    }
    let exact = RealmDate(seconds: 1_700_000_000, nanoseconds: 123_456_789)
    expectEqual(ConvertedValue(.date(exact)), .stored(.text(DateText.encode(exact.date) ?? "")))
    for seconds in [.min, .max, 253_402_300_800, -62_167_219_201] as [Int64] {
      let date = RealmDate(seconds: seconds, nanoseconds: 0)
      expectEqual(ConvertedValue(.date(date)), .refused(.yearOutOfRange))
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
            guard case .stored(.text(let text)) = ConvertedValue(.decimal(number)) else {
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
    expectEqual(ConvertedValue(.list([])), .collection(.list))
    expectEqual(ConvertedValue(.set([])), .collection(.set))
    expectEqual(ConvertedValue(.dictionary([])), .collection(.dictionary))
  }
}

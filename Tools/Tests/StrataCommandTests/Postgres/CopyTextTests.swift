import StrataSchema
import StrataStorage
import TestKit
import Testing

@testable import StrataCommand

/// Values as `COPY` reads them.
@Suite struct CopyTextTests {
  private func copied(
    _ value: StoredValue, _ type: PropertyType, isRequired: Bool = false, typeName: String? = nil
  ) -> (text: String, note: PostgresFindings.Kind?) {
    var text = CopyText()
    let note = text.append(
      value, typeName: typeName,
      PostgresColumn(name: "c", valueType: type, isRequired: isRequired, source: "c"))
    return (String(decoding: text.bytes, as: UTF8.self), note)
  }

  private func isCopied(
    _ value: StoredValue, _ type: PropertyType, as expected: String,
    _ note: PostgresFindings.Kind? = nil
  ) -> Bool {
    let result = copied(value, type)
    return result.text == expected && result.note == note
  }

  @Test func `Numbers have the digits that make them again`() {
    expectTrue(isCopied(.integer(.min), .int, as: "-9223372036854775808"))
    expectTrue(isCopied(.integer(0), .bool, as: "f"))
    expectTrue(isCopied(.integer(1), .bool, as: "t"))
    expectTrue(isCopied(.real(0.1), .double, as: "0.1"))
    expectTrue(isCopied(.real(Double(Float(0.1))), .float, as: "0.1"))
    expectTrue(isCopied(.real(.leastNonzeroMagnitude), .double, as: "5e-324"))
    expectTrue(isCopied(.real(.infinity), .double, as: "Infinity"))
    expectTrue(isCopied(.real(-.infinity), .float, as: "-Infinity"))
  }

  @Test func `Texts escape what COPY reads otherwise`() {
    expectTrue(isCopied(.text("a\tb\nc\rd\\e"), .string, as: #"a\tb\nc\rd\\e"#))
    expectTrue(isCopied(.text(""), .string, as: ""))
    expectTrue(isCopied(.text("\\N"), .string, as: #"\\N"#))
    expectTrue(isCopied(.text("\\."), .string, as: #"\\."#))
    expectTrue(isCopied(.text("é日\u{1}\u{8}\u{C}\u{1B}"), .string, as: "é日\u{1}\u{8}\u{C}\u{1B}"))
    expectTrue(isCopied(.null, .string, as: #"\N"#))
  }

  @Test func `A zero byte is replaced, and said`() {
    expectTrue(isCopied(.text("\0a\0"), .string, as: "\u{FFFD}a\u{FFFD}", .zeroByte))
  }

  @Test func `Data is hexadecimal`() {
    expectTrue(isCopied(.blob([0, 1, 0xAB, 0x5C]), .data, as: #"\\x0001ab5c"#))
    expectTrue(isCopied(.blob([]), .data, as: #"\\x"#))
  }

  @Test func `Identifiers and decimals are checked`() {
    let uuid = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
    expectTrue(isCopied(.text(uuid), .UUID, as: uuid))
    expectTrue(isCopied(.text("3F2504E04F8941D39A0C0305E82C3301"), .UUID, as: #"\N"#, .unreadable))
    expectTrue(
      isCopied(.text("507F1F77BCF86CD799439011"), .objectId, as: "507f1f77bcf86cd799439011"))
    expectTrue(isCopied(.text("507f"), .objectId, as: #"\N"#, .unreadable))
    expectTrue(isCopied(.text("1.50"), .decimal128, as: "1.50"))
    expectTrue(isCopied(.text("1E+3"), .decimal128, as: "1E+3"))
    expectTrue(isCopied(.text("NaN"), .decimal128, as: "NaN"))
    expectTrue(isCopied(.text("-NaN"), .decimal128, as: "NaN"))
    expectTrue(isCopied(.text("-Infinity"), .decimal128, as: "-Infinity"))
    expectTrue(isCopied(.text("a lot"), .decimal128, as: #"\N"#, .unreadable))
  }

  @Test func `What a required column can't read is zero`() {
    let date = copied(.text("yesterday"), .date, isRequired: true)
    expectEqual(date.text, "1970-01-01 00:00:00+00")
    expectEqual(date.note, .unreadable)
    expectTrue(copied(.text("x"), .UUID, isRequired: true).text.allSatisfy { "0-".contains($0) })
  }

  @Test func `Values follow each other in a line`() {
    var text = CopyText()
    let column = PostgresColumn(name: "c", valueType: .int, isRequired: false, source: "c")
    _ = text.append(.integer(1), column)
    _ = text.append(.null, column)
    text.endLine()
    let start = text.bytes.count
    _ = text.append(.integer(2), column)
    text.removeLine(from: start)
    _ = text.append(.integer(3), column)
    text.endLine()
    expectEqual(String(decoding: text.bytes, as: UTF8.self), "1\t\\N\n3\n")
  }

  // MARK: Values of any type

  private func json(_ value: StoredValue, _ typeName: String?) -> String {
    copied(value, .any, typeName: typeName).text
  }

  @Test func `An AnyRealmValue keeps its type in JSON`() {
    expectEqual(json(.integer(3), "int"), "3")
    expectEqual(json(.integer(1), "bool"), "true")
    expectEqual(json(.real(1.5), "double"), "1.5")
    expectEqual(json(.real(1), "double"), "1.0")
    expectEqual(json(.real(1e20), "double"), #"{"$numberDouble":"1e+20"}"#)
    expectEqual(json(.real(-0.0), "double"), #"{"$numberDouble":"-0.0"}"#)
    expectEqual(json(.real(.infinity), "double"), #"{"$numberDouble":"Infinity"}"#)
    expectEqual(json(.real(1.5), "float"), #"{"$numberFloat":"1.5"}"#)
    expectEqual(json(.text("a\"b"), "string"), #""a\\"b""#)
    expectEqual(json(.integer(5), "<Dog>"), #"{"$ref":"Dog","$id":5}"#)
    expectEqual(
      json(.text(#"{"a":[1,{"$ref":"Dog","$id":5}]}"#), "dictionary"),
      #"{"a":[1,{"$ref":"Dog","$id":5}]}"#)
    expectEqual(json(.null, nil), #"\N"#)
    expectEqual(json(.blob([0]), "data"), #"{"$binary":{"base64":"AA==","subType":"00"}}"#)
  }

  @Test func `JSON can't have a zero byte either, and an escaped backslash is none`() {
    let zero = copied(.text("a\0b"), .any, typeName: "string")
    expectEqual(zero.text, "\"a\u{FFFD}b\"")
    expectEqual(zero.note, .zeroByte)
    let backslash = copied(.text("a\\u0000b"), .any, typeName: "string")
    expectEqual(backslash.text, #""a\\\\u0000b""#)
    expectNil(backslash.note)
  }

  @Test func `What no AnyRealmValue can be is nil, and said`() {
    for (value, type) in [
      (StoredValue.text("{"), "dictionary"), (.text("x"), "int"), (.integer(1), "unheard of"),
      (.text("[1]"), "dictionary"), (.text("soon"), "date"), (.integer(1), nil as String?),
    ] {
      let result = copied(value, .any, typeName: type)
      expectEqual(result.text, #"\N"#)
      expectEqual(result.note, .unreadable)
    }
  }
}

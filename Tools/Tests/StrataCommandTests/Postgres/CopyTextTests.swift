import StrataSchema
import StrataStorage
import Testing

@testable import StrataCommand

/// Values as `COPY` reads them.
@Suite struct CopyTextTests {
  private func copied(
    _ value: StoredValue, _ type: PropertyType, isRequired: Bool = false, typeName: String? = nil
  ) -> (text: String, note: CopyNote?) {
    var text = CopyText()
    let note = text.append(
      value, typeName: typeName,
      PostgresColumn(name: "c", valueType: type, isRequired: isRequired, source: "c"))
    return (String(decoding: text.bytes, as: UTF8.self), note)
  }

  private func isCopied(
    _ value: StoredValue, _ type: PropertyType, as expected: String, _ note: CopyNote? = nil
  ) -> Bool {
    let result = copied(value, type)
    return result.text == expected && result.note == note
  }

  @Test func `Numbers have the digits that make them again`() {
    #expect(isCopied(.integer(.min), .int, as: "-9223372036854775808"))
    #expect(isCopied(.integer(0), .bool, as: "f"))
    #expect(isCopied(.integer(1), .bool, as: "t"))
    #expect(isCopied(.real(0.1), .double, as: "0.1"))
    #expect(isCopied(.real(Double(Float(0.1))), .float, as: "0.1"))
    #expect(isCopied(.real(.leastNonzeroMagnitude), .double, as: "5e-324"))
    #expect(isCopied(.real(.infinity), .double, as: "Infinity"))
    #expect(isCopied(.real(-.infinity), .float, as: "-Infinity"))
  }

  @Test func `Texts escape what COPY reads otherwise`() {
    #expect(isCopied(.text("a\tb\nc\rd\\e"), .string, as: #"a\tb\nc\rd\\e"#))
    #expect(isCopied(.text(""), .string, as: ""))
    #expect(isCopied(.text("\\N"), .string, as: #"\\N"#))
    #expect(isCopied(.text("\\."), .string, as: #"\\."#))
    #expect(isCopied(.text("é日\u{1}\u{8}\u{C}\u{1B}"), .string, as: "é日\u{1}\u{8}\u{C}\u{1B}"))
    #expect(isCopied(.null, .string, as: #"\N"#))
  }

  @Test func `A zero byte is replaced, and said`() {
    #expect(isCopied(.text("\0a\0"), .string, as: "\u{FFFD}a\u{FFFD}", .zeroByte))
  }

  @Test func `Data is hexadecimal`() {
    #expect(isCopied(.blob([0, 1, 0xAB, 0x5C]), .data, as: #"\\x0001ab5c"#))
    #expect(isCopied(.blob([]), .data, as: #"\\x"#))
  }

  @Test func `Identifiers and decimals are checked`() {
    let uuid = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
    #expect(isCopied(.text(uuid), .UUID, as: uuid))
    #expect(isCopied(.text("3F2504E04F8941D39A0C0305E82C3301"), .UUID, as: #"\N"#, .unreadable))
    #expect(isCopied(.text("507F1F77BCF86CD799439011"), .objectId, as: "507f1f77bcf86cd799439011"))
    #expect(isCopied(.text("507f"), .objectId, as: #"\N"#, .unreadable))
    #expect(isCopied(.text("1.50"), .decimal128, as: "1.50"))
    #expect(isCopied(.text("1E+3"), .decimal128, as: "1E+3"))
    #expect(isCopied(.text("NaN"), .decimal128, as: "NaN"))
    #expect(isCopied(.text("-NaN"), .decimal128, as: "NaN"))
    #expect(isCopied(.text("-Infinity"), .decimal128, as: "-Infinity"))
    #expect(isCopied(.text("a lot"), .decimal128, as: #"\N"#, .unreadable))
  }

  @Test func `What a required column can't read is zero`() {
    let date = copied(.text("yesterday"), .date, isRequired: true)
    #expect(date.text == "1970-01-01 00:00:00+00")
    #expect(date.note == .unreadable)
    #expect(copied(.text("x"), .UUID, isRequired: true).text.allSatisfy { "0-".contains($0) })
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
    #expect(String(decoding: text.bytes, as: UTF8.self) == "1\t\\N\n3\n")
  }

  // MARK: Values of any type

  private func json(_ value: StoredValue, _ typeName: String?) -> String {
    copied(value, .any, typeName: typeName).text
  }

  @Test func `An AnyRealmValue keeps its type in JSON`() {
    #expect(json(.integer(3), "int") == "3")
    #expect(json(.integer(1), "bool") == "true")
    #expect(json(.real(1.5), "double") == "1.5")
    #expect(json(.real(1), "double") == "1.0")
    #expect(json(.real(1e20), "double") == #"{"$numberDouble":"1e+20"}"#)
    #expect(json(.real(-0.0), "double") == #"{"$numberDouble":"-0.0"}"#)
    #expect(json(.real(.infinity), "double") == #"{"$numberDouble":"Infinity"}"#)
    #expect(json(.real(1.5), "float") == #"{"$numberFloat":"1.5"}"#)
    #expect(json(.text("a\"b"), "string") == #""a\\"b""#)
    #expect(json(.integer(5), "<Dog>") == #"{"$ref":"Dog","$id":5}"#)
    #expect(
      json(.text(#"{"a":[1,{"$ref":"Dog","$id":5}]}"#), "dictionary")
        == #"{"a":[1,{"$ref":"Dog","$id":5}]}"#)
    #expect(json(.null, nil) == #"\N"#)
    #expect(json(.blob([0]), "data") == #"{"$binary":{"base64":"AA==","subType":"00"}}"#)
  }

  @Test func `JSON can't have a zero byte either, and an escaped backslash is none`() {
    let zero = copied(.text("a\0b"), .any, typeName: "string")
    #expect(zero.text == "\"a\u{FFFD}b\"")
    #expect(zero.note == .zeroByte)
    let backslash = copied(.text("a\\u0000b"), .any, typeName: "string")
    #expect(backslash.text == #""a\\\\u0000b""#)
    #expect(backslash.note == nil)
  }

  @Test func `What no AnyRealmValue can be is nil, and said`() {
    for (value, type) in [
      (StoredValue.text("{"), "dictionary"), (.text("x"), "int"), (.integer(1), "unheard of"),
      (.text("[1]"), "dictionary"), (.text("soon"), "date"), (.integer(1), nil as String?),
    ] {
      let result = copied(value, .any, typeName: type)
      #expect(result.text == #"\N"#)
      #expect(result.note == .unreadable)
    }
  }
}

import StrataSchema
import TestKit
import Testing

@Suite("Functions of expressions")
struct TransformFunctionTests {
  typealias Function = TransformFunction

  @Test(
    arguments: [
      (Function.calculation(.add, .int), [StoredValue.integer(2), .integer(3)], .integer(5)),
      (.calculation(.divide, .int), [.integer(-7), .integer(2)], .integer(-3)),
      (.calculation(.multiply, .int), [.integer(-7), .integer(2)], .integer(-14)),
      (.calculation(.subtract, .int), [.integer(.min), .integer(-1)], .integer(.min + 1)),
      (.calculation(.add, .double), [.real(0.1), .real(0.2)], .real(0.1 + 0.2)),
      (.calculation(.divide, .double), [.real(1), .real(0)], .real(.infinity)),
      (
        .calculation(.add, .float), [.real(Double(Float(0.1))), .real(Double(Float(0.2)))],
        .real(Double(Float(0.1) + Float(0.2)))
      ),
      (.calculation(.add, .int), [.null, .integer(3)], .null),
      (.parse, [.text("-12")], .integer(-12)), (.parse, [.text("+7")], .integer(7)),
      (.parse, [.text("12x")], .null), (.parse, [.text("")], .null), (.parse, [.text(" 1")], .null),
      (.parse, [.text("9223372036854775808")], .null), (.parse, [.null], .null),
      (.truncate, [.real(-2.9)], .integer(-2)), (.truncate, [.null], .null),
      (.bits, [.integer(Int64(bitPattern: (0.3).bitPattern))], .real(0.3)),
    ] as [(Function, [StoredValue], StoredValue)])
  func `Functions compute what Swift computes`(
    _ function: Function, _ arguments: [StoredValue], _ value: StoredValue
  ) throws {
    try expectEqual(function.value(arguments), value)
    expectEqual(arguments.count, function.argumentCount)
  }

  @Test(
    arguments: [
      (
        Function.calculation(.add, .int), [StoredValue.integer(.max), .integer(1)],
        "9223372036854775807 + 1 is out of the range of Int"
      ),
      (
        .calculation(.divide, .int), [.integer(.min), .integer(-1)],
        "-9223372036854775808 / -1 is out of the range of Int"
      ),
      (.calculation(.divide, .int), [.integer(3), .integer(0)], "3 / 0 has no value"),
      (
        .calculation(.subtract, .double), [.real(.infinity), .real(.infinity)],
        "inf - inf is NaN, which SQLite can't keep"
      ),
      (.truncate, [.real(1e19)], "1e+19 is out of the range of Int"),
      (.truncate, [.real(.infinity)], "inf is out of the range of Int"),
    ] as [(Function, [StoredValue], String)])
  func `Functions fail where Swift would stop`(
    _ function: Function, _ arguments: [StoredValue], _ text: String
  ) {
    let error = #expect(throws: Function.Failure.self) { try function.value(arguments) }
    expectEqual(error?.text, text)
  }

  @Test func `Functions have names of their own`() {
    expectEqual(Set(Function.all.map(\.name)).count, Function.all.count)
    expectTrue(Function.all.allSatisfy { $0.name.hasPrefix("strata_") })
  }
}

import StrataSchema
import TestKit
import Testing

@Suite("Expressions as SQL")
struct TransformCompilerTests {
  private let compiler = TransformCompiler(
    model(
      "P", property("i"), property("j", optional: true), property("d", .double),
      property("f", .float), property("s", .string), property("t", .string, optional: true),
      property("b", .bool), property("c", .bool, optional: true), property("when", .date),
      property("later", .date, optional: true), property("size", .decimal128),
      property("id", .UUID), property("data", .data), property("a\"b", .string),
      property("any", .any), link("link", to: "P"), property("list", .int, .list)))

  private static func column(_ name: String) -> TransformExpression { .property(name, nil) }

  struct Example: CustomTestStringConvertible {
    var sql: String
    var type: PropertyType
    var isOptional = false
    var needsFunctions = false
    var expression: TransformExpression
    var testDescription: String { sql }
  }

  private static let i = column("i")
  private static let s = column("s")
  private static let one = TransformExpression.literal(.integer(1), nil)
  private static let text = TransformExpression.literal(.text("it's"), nil)
  private static let none = TransformExpression.literal(.null, nil)

  static let examples: [Example] = [
    Example(sql: #""P"."i""#, type: .int, expression: i),
    Example(sql: #""P"."t""#, type: .string, isOptional: true, expression: column("t")),
    Example(sql: #""P"."a""b""#, type: .string, expression: column("a\"b")),
    Example(sql: "'it''s'", type: .string, expression: text),
    Example(sql: "1", type: .int, expression: one),
    Example(sql: "1.0", type: .double, expression: one),
    Example(sql: "NULL", type: .string, isOptional: true, expression: none),
    Example(sql: "1.5", type: .float, expression: .literal(.real(1.5), nil)),
    Example(
      sql: "strata_bits(\(Int64(bitPattern: (0.1 + 0.2).bitPattern)))", type: .double,
      needsFunctions: true, expression: .literal(.real(0.1 + 0.2), nil)),
    Example(
      sql: #"("P"."s" || 'it''s')"#, type: .string, expression: .arithmetic(.add, s, text)),
    Example(
      sql: #"("P"."s" || "P"."t")"#, type: .string, isOptional: true,
      expression: .arithmetic(.add, s, column("t"))),
    Example(
      sql: #"strata_add_int("P"."i", 1)"#, type: .int, needsFunctions: true,
      expression: .arithmetic(.add, i, one)),
    Example(
      sql: #"strata_divide_double(1.0, "P"."d")"#, type: .double, needsFunctions: true,
      expression: .arithmetic(.divide, one, column("d"))),
    Example(
      sql: #"strata_multiply_float("P"."f", 1.0)"#, type: .float, needsFunctions: true,
      expression: .arithmetic(.multiply, column("f"), one)),
    Example(
      sql: #"strata_subtract_int("P"."j", "P"."i")"#, type: .int, isOptional: true,
      needsFunctions: true, expression: .arithmetic(.subtract, column("j"), i)),
    Example(
      sql: #"coalesce("P"."t", 'it''s')"#, type: .string,
      expression: .coalesce(column("t"), text)),
    Example(
      sql: #"coalesce("P"."later", "P"."when")"#, type: .date,
      expression: .coalesce(column("later"), column("when"))),
    Example(
      sql: #"("P"."t" IS NULL)"#, type: .bool, expression: .comparison(.equal, column("t"), none)),
    Example(
      sql: #"("P"."id" IS NOT "P"."id")"#, type: .bool,
      expression: .comparison(.notEqual, column("id"), column("id"))),
    Example(
      sql: #"("P"."i" >= 1)"#, type: .bool, expression: .comparison(.greaterOrEqual, i, one)),
    Example(
      sql: #"coalesce("P"."j" < 1, 0)"#, type: .bool,
      expression: .comparison(.less, column("j"), one)),
    Example(
      sql: #"CASE WHEN ("P"."i" > 1) THEN "P"."s" ELSE NULL END"#, type: .string,
      isOptional: true,
      expression: .when(.comparison(.greater, i, one), then: s, otherwise: none)),
    Example(
      sql: #"CASE WHEN "P"."b" THEN 1.0 ELSE "P"."d" END"#, type: .double,
      expression: .when(column("b"), then: one, otherwise: column("d"))),
    Example(sql: #"CAST("P"."i" AS TEXT)"#, type: .string, expression: .conversion(.text, i)),
    Example(
      sql: #"strata_parse_int("P"."s")"#, type: .int, isOptional: true, needsFunctions: true,
      expression: .conversion(.int, s)),
    Example(
      sql: #"strata_truncate("P"."f")"#, type: .int, needsFunctions: true,
      expression: .conversion(.int, column("f"))),
    Example(
      sql: #""P"."c""#, type: .int, isOptional: true, expression: .conversion(.int, column("c"))),
    Example(sql: #"CAST("P"."i" AS REAL)"#, type: .double, expression: .conversion(.double, i)),
    Example(sql: #""P"."size""#, type: .decimal128, expression: column("size")),
    Example(
      sql: #"coalesce(CAST(strata_add_int("P"."j", "P"."i") AS TEXT), "P"."s")"#, type: .string,
      needsFunctions: true,
      expression: .coalesce(.conversion(.text, .arithmetic(.add, column("j"), i)), s)),
  ]

  @Test(arguments: examples)
  func `An expression has columns of the table, literals and a type`(_ example: Example) throws {
    let target = property("x", example.type, optional: true)
    let result = try compiler.compile(example.expression, for: target)
    expectEqual(result.sql, example.sql)
    expectTrue(result.type == example.type && result.isOptional == example.isOptional)
    expectEqual(result.needsFunctions, example.needsFunctions)
  }

  struct Mistake: CustomTestStringConvertible {
    var text: String
    var target = property("x", .string)
    var expression: TransformExpression
    var testDescription: String { text }
  }

  private static let convert = "Convert one of them with '.text', '.int' or '.double'."

  static let mistakes: [Mistake] = [
    Mistake(
      text: "the file has no property 'y'. It has: i, j, d, f, s, t, b, c, when, later, size, id, "
        + "data, a\"b, any, link, list.", expression: column("y")),
    Mistake(
      text: "'any' is of type 'mixed', which an expression can't read. Use 'enumerateObjects', or "
        + "'renameProperty' for another name.", expression: column("any")),
    Mistake(
      text: "'link' is of type '<P>', which an expression can't read. Use 'enumerateObjects', or "
        + "'renameProperty' for another name.", expression: column("link")),
    Mistake(
      text: "'list' is of type 'array<int>', which an expression can't read. Use "
        + "'enumerateObjects', or 'renameProperty' for another name.", expression: column("list")),
    Mistake(
      text:
        "'t' is of type 'string?' in the file, and of type 'string' in the class that it is read "
        + "as. Use the class as it was when the file was written.",
      expression: .property("t", .init(.string))),
    Mistake(
      text:
        "'i' is of type 'int' in the file, and of type 'double' in the class that it is read as. "
        + "Use the class as it was when the file was written.",
      expression: .property("i", .init(.double))),
    Mistake(
      text: "'+' can't be used with 'string' and 'int'. It takes two texts, or two numbers of one "
        + "type. \(convert)", expression: .arithmetic(.add, s, i)),
    Mistake(
      text: "'-' can't be used with 'string' and 'string'. It takes two numbers of one type. "
        + convert, expression: .arithmetic(.subtract, s, s)),
    Mistake(
      text: "'+' can't be used with 'date' and 'date'. It takes two texts, or two numbers of one "
        + "type. \(convert)", expression: .arithmetic(.add, column("when"), column("when"))),
    Mistake(
      text:
        "'??' can't be used with 'int' and 'string'. Both values must be of one type. \(convert)",
      expression: .coalesce(column("j"), text)),
    Mistake(
      text: "'when' can't be used with 'string' and 'int'. Both values must be of one type. "
        + convert, expression: .when(column("b"), then: s, otherwise: i)),
    Mistake(
      text: "a condition must be of type 'bool', not 'int'. Compare it with a value.",
      expression: .when(i, then: s, otherwise: s)),
    Mistake(
      text: "'==' can't be used with 'decimal' and 'decimal'. It takes two values of one type, but "
        + "no decimals. \(convert)", target: property("x", .bool),
      expression: .comparison(.equal, column("size"), column("size"))),
    Mistake(
      text: "'<' can't be used with 'uuid' and 'uuid'. It takes two numbers, texts or dates. "
        + convert, target: property("x", .bool),
      expression: .comparison(.less, column("id"), column("id"))),
    Mistake(
      text: "'.text' can't be used with 'double'. It takes an 'int' or a 'string'.",
      expression: .conversion(.text, column("d"))),
    Mistake(
      text:
        "'.int' can't be used with 'date'. It takes a 'string', a 'bool', a 'float', a 'double' "
        + "or an 'int'.", expression: .conversion(.int, column("when"))),
    Mistake(
      text: "'.double' can't be used with 'string'. It takes an 'int', a 'float' or a 'double'.",
      expression: .conversion(.double, s)),
    Mistake(
      text: "nil has no type here. Leave it out.", target: property("x", .bool),
      expression: .comparison(.equal, none, none)),
    Mistake(
      text:
        "the expression reads something that is not a '@Persisted' property of the old class. Use "
        + "the properties that it is computed from.", expression: .unpersisted),
    Mistake(
      text:
        "'y' is read on the new side, where it has no value yet. Read a property of the old side.",
      expression: .unset("y")),
    Mistake(
      text:
        "a constant can't be stored: SQLite has no NaN, and dates are in the years 0000 to 9999. "
        + "Use another one, or nil.", expression: .literal(.real(.nan), .date)),
    Mistake(
      text: "an expression can't be of type '<P>'. Use 'enumerateObjects'.",
      target: link("x", to: "P"), expression: none),
    Mistake(
      text: "an expression can't be of type 'set<int>'. Use 'enumerateObjects'.",
      target: property("x", .int, .set), expression: i),
    Mistake(
      text: "its expression is of type 'int', and the property of type 'string'. Convert it with "
        + "'.text', '.int' or '.double', or use 'enumerateObjects'.", expression: i),
    Mistake(
      text: "its expression is of type 'string', and the property of type 'uuid'. Convert it with "
        + "'.text', '.int' or '.double', or use 'enumerateObjects'.",
      target: property("x", .UUID), expression: s),
  ]

  @Test(arguments: mistakes)
  func `An expression whose types don't fit is refused, with a repair`(_ mistake: Mistake) {
    let error = #expect(throws: TransformProblem.self) {
      try compiler.compile(mistake.expression, for: mistake.target)
    }
    expectEqual(error?.description, mistake.text)
  }

  @Test func `An expression names the columns that it reads`() {
    let all = Self.examples.reduce(into: Set<String>()) { $0.formUnion($1.expression.columns) }
    expectEqual(
      all, ["i", "j", "d", "f", "s", "t", "b", "c", "when", "later", "size", "id", "a\"b"])
    expectTrue(Self.one.columns.isEmpty)
  }

  @Test func `Expressions set columns in place, or on the way to another table`() {
    let columns = [
      TableRebuild.Column(property: property("x\"", .string), source: .expression(#""P"."s""#)),
      TableRebuild.Column(property: property("y"), source: .expression("1")),
    ]
    expectEqual(
      TableSQL.setColumns("P", columns), #"UPDATE "P" SET "x""" = "P"."s", "y" = 1"#)
    let rebuild = TableRebuild(
      table: "P", target: model("P", property("x\"", .string), property("y")), columns: columns)
    expectTrue(
      RebuildTableSQL.copy(rebuild, extraColumns: []).contains(#"SELECT "P"."_id", "P"."s", 1"#))
  }
}

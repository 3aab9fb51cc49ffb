import StrataQuery
import TestKit
import Testing

private let boolean = "A Boolean is compared too, such as isDone == TRUE."
private let lists = "A list is written {1, 2}."
private let escapes = "There are \\\\, \\', \\\", \\n, \\t, \\r and \\uXXXX."
private let others = "belongs to the language of other SDKs"
private let subscripts =
  "only dictionaries and realm Any support subscript predicates. The key of a dictionary is a "
  + "text, such as"
private let functions =
  "function is not supported. Compute the value in Swift, and give it as the argument of '%@'"
private let operations = "There are @count, @min, @max, @sum, @avg, @allKeys, @allValues."
private let subquery =
  "SUBQUERY is only supported when immediately followed by .@count that is compared with a "
  + "constant number. Write SUBQUERY(dogs, $dog, $dog.age > 3).@count > 0."
private let constants = "Expressions within predicate aggregates must be constant values"
private let joined = "Compare with each of them, and join the conditions with OR."
private let quotes = "The text has no quotation mark at its end"
private let results = "of the results."

@Suite("Mistakes in format strings")
struct FormatProblemTests {
  @Test(
    arguments: [
      ("", "It has no condition (column 1)."), ("   ", "It has no condition (column 4)."),
      ("age >", "A value is missing after '>' (column 6)."),
      ("age > AND a == 1", "A value is missing after '>' (column 7)."),
      ("> 3", "A condition is missing before '>' (column 1)."),
      ("a == 1 AND", "A condition is missing after 'AND' (column 11)."),
      ("a == 1 or ) ", "A condition is missing after 'or' (column 11)."),
      ("NOT", "A condition is missing after 'NOT' (column 4)."),
      ("()", "A condition is missing after '(' (column 2)."),
      ("AND a == 1", "A condition is missing before 'AND' (column 1)."),
      (
        "any == 3",
        "A condition is missing after 'any' (column 5). A property that is called 'any' is "
          + "written '#any'."
      ),
      ("isDone", "An operator is missing after 'isDone' (column 7). \(boolean)"),
      ("(isDone) AND a == 1", "An operator is missing after ')' (column 10)."),
      ("isDone AND a == 1", "An operator is missing after 'isDone' (column 8). \(boolean)"),
      ("'a'", "An operator is missing after the text (column 4)."),
      ("12 13", "An operator is missing after the number (column 4)."),
      ("age is 3", "An operator is missing after 'age' (column 5)."),
      (
        "age NOT IN {1}",
        "An operator is missing after 'age' (column 5). Write NOT before the whole condition."
      ),
      ("(a == 1", "')' is missing for the '(' in column 1 (column 8)."),
      ("a == 1 AND (b == (1", "')' is missing for the '(' in column 18 (column 20)."),
      ("a == 1)", "')' has no '(' before it (column 7)."),
      ("a == 1 b == 2", "AND or OR is missing before 'b' (column 8)."),
      ("(a == 1 b == 2)", "AND or OR is missing before 'b' (column 9)."),
      ("a IN (1, 2)", "',' is not expected here (column 8). \(lists)"),
      ("a IN [1, 2]", "The letters 'c' or 'd' are missing after '[' (column 7). \(lists)"),
      ("a IN {1", "'}' is missing for the '{' in column 6 (column 8)."),
      ("a IN {1 2}", "',' is missing before the number (column 9)."),
      ("a IN {1,}", "A value is missing after ',' (column 9)."),
      ("a IN {,1}", "A value is missing after '{' (column 7)."),
      (
        "a CONTAINS[n] 'x'",
        "The option 'n' is not supported (column 12). There are [c], which ignores upper and "
          + "lower case, and [d], which ignores accents."
      ),
      ("a CONTAINS[c 'x'", "']' is missing after 'c' (column 14)."),
      ("a == 'x", "\(quotes) (column 6). Add '."),
      (#"a == "x'"#, "\(quotes) (column 6). Add \"."),
      ("a == 'x\\", "\(quotes) (column 6). Add '."),
      ("a == “x”", "“ is no quotation mark here (column 6). Use ' or \"."),
      ("éé == '\\q'", "This escape has no meaning (column 8). \(escapes)"),
      ("a == '\\u12'", "This escape has no meaning (column 7). \(escapes)"),
      ("a == '\\uD83D'", "This escape has no meaning (column 7). \(escapes)"),
      ("a == 12abc", "'12abc' is neither a number nor a name (column 6)."),
      ("a == 0x", "'0x' is neither a number nor a name (column 6)."),
      ("a == 0x1p3", "'0x1p3' is neither a number nor a name (column 6)."),
      ("a == 1_000", "'1_000' is neither a number nor a name (column 6)."),
      ("a == 1e", "'1e' is neither a number nor a name (column 6)."),
      (
        "a == 12345678901234567890123456789012345",
        "The number has more than 34 digits, which no property can hold (column 6)."
      ),
      ("a == ~1", "The sign '~' has no meaning (column 6)."),
      ("a\u{0} == 1", "The sign U+0000 has no meaning (column 2)."),
      ("🐶🐶 & 1", "The sign '&' has no meaning (column 4)."),
      ("a == 1%%", "'%%' has no meaning (column 7). Write the sign as a text: '%'."),
      ("a == %", "'%' begins no placeholder here (column 6). Use '%@' for a value."),
      ("a == %y", "'%' begins no placeholder here (column 6). Use '%@' for a value."),
      ("a == %1$@", "Placeholders have no positions (column 6). Give an argument for each."),
      ("a == $", "A name is missing after '$' (column 7)."),
      ("a.@ == 1", "A name is missing after '@' (column 4)."),
      ("# == 1", "A name is missing after '#' (column 2)."),
      ("a == 1 SORT(b ASC)", "'SORT' \(others) (column 8). Use 'sorted(by:)' \(results)"),
      (
        "TRUEPREDICATE distinct(b)",
        "'DISTINCT' \(others) (column 15). Use 'distinct(by:)' \(results)"
      ),
      ("(a == 1 LIMIT(5))", "'LIMIT' \(others) (column 9). Use 'limit(_:)' \(results)"),
      ("LIMIT(5)", "'LIMIT' \(others) (column 1). Use 'limit(_:)' \(results)"),
      (
        "SUBQUERY(dogs, x, $x.a > 1).@count > 0",
        "A variable such as '$x' is missing after ',' (column 16)."
      ),
      (
        "SUBQUERY(dogs $x, $x.a > 1).@count > 0",
        "',' is missing after 'dogs' (column 15). Write SUBQUERY(dogs, $dog, $dog.age > 3).@count "
          + "> 0."
      ),
      ("SUBQUERY(dogs, $x, $x.a > 1.@count > 0", "AND or OR is missing before '.' (column 28)."),
      ("SUBQUERY == 3", "A '(' is missing after 'SUBQUERY' (column 10)."),
      ("SUBQUERY(3, $x, a == 1).@count == 0", "A key path is missing after '(' (column 10)."),
      ("map['a' == 1", "']' is missing after the text (column 9)."),
      ("map[", "A key is missing after '[' (column 5)."),
    ] as [(String, String)])
  func `What can't be parsed says what is wrong, where, and the repair`(
    _ format: String, _ detail: String
  ) throws {
    let problem = try #require(mistake(in: format))
    expectEqual(problem.message, "Unable to parse the format string \"\(format)\". \(detail)")
    expectEqual(problem.loggedMessage, "Unable to parse the format string. \(detail)")
  }

  @Test(
    arguments: [
      (".name == 1", "Invalid keypath '.name': no key name before '.'"),
      ("dogs. == 1", "Invalid keypath 'dogs.': no key name after last '.'"),
      ("dogs. AND a == 1", "Invalid keypath 'dogs.': no key name after last '.'"),
      ("a..b == 1", "Invalid keypath 'a..b': no key name before '.'"),
      (
        "dogs.@average.age > 3",
        "Invalid keypath 'dogs.@average.age': Unsupported collection operation '@average'. "
          + "\(operations) Did you mean '@avg'?"
      ),
      (
        "@links.Person.dogs == 1",
        "Invalid keypath '@links.Person.dogs': Unsupported collection operation '@links'. "
          + "\(operations) Declare a property of type 'LinkingObjects' for the objects that link."
      ),
      (
        "a.@type == 'int'",
        "Invalid keypath 'a.@type': Unsupported collection operation '@type'. \(operations)"
      ),
      ("ints[-1] == 1", "Invalid keypath 'ints[-1]': \(subscripts) ints['key']."),
      ("dog.ints[FIRST] == 1", "Invalid keypath 'dog.ints[FIRST]': \(subscripts) dog.ints['key']."),
      ("ints[SIZE] == 1", "Invalid keypath 'ints[SIZE]': \(subscripts) ints['key']."),
      ("abs(x) > 3", "The 'abs' \(functions) (column 1)."),
      ("x > CAST('3', 'int')", "The 'CAST' \(functions) (column 5)."),
      ("a + 1 > 3", "The '+' \(functions) (column 3)."),
      ("a > 3 ** 2", "The '**' \(functions) (column 7)."),
      ("a := 3", "The ':=' \(functions) (column 3)."),
      ("a-1 > 3", "The '-' \(functions) (column 2)."),
      ("a > -b", "The '-' \(functions) (column 5)."),
      ("a > (3 * 2)", "The '*' \(functions) (column 8)."),
      (
        "a MATCHES '.*'",
        "Operator 'MATCHES' is not supported (column 3). Use 'LIKE', where '?' is one character "
          + "and '*' any number of them, or 'filter { … }' with a regular expression, which reads "
          + "all objects."
      ),
      ("a IN {1, b}", "\(constants) (column 10). \(joined)"),
      ("SUBQUERY(dogs, $d, $d.age > 1) > 3", subquery),
      ("SUBQUERY(dogs, $d, $d.age > 1).@max.age > 3", subquery),
      ("SUBQUERY(dogs, $d, $d.age > 1).@count.x > 3", subquery),
    ] as [(String, String)])
  func `What Realm has a sentence for begins with it`(_ format: String, _ message: String) throws {
    expectEqual(mistake(in: format)?.message, message)
  }

  @Test(
    arguments: [
      ("a == %@ AND b == %@", [.int(1)], "It has 2 placeholders, and 1 argument was given."),
      ("a == %@", [], "It has 1 placeholder, and 0 arguments were given."),
      ("a == 1", [.int(1)], "It has 0 placeholders, and 1 argument was given."),
      (
        "a == '%@'", [.int(1)],
        "It has 0 placeholders, and 1 argument was given. A placeholder inside of quotation marks "
          + "is text."
      ),
      ("%K == map[%@]", [], "It has 2 placeholders, and 0 arguments were given."),
      ("a IN {%@, %@}", [.int(1)], "It has 2 placeholders, and 1 argument was given."),
      (
        "a == %d", [.string("secret")],
        "The placeholder '%d' takes a number, and argument 1 is of type 'String' (column 6)."
      ),
      (
        "a == %lf", [.null],
        "The placeholder '%lf' takes a number, and argument 1 is nil (column 6)."
      ),
      (
        "b == 1 AND a == %s", [.int(77)],
        "The placeholder '%s' takes a text, and argument 1 is of type 'Int' (column 17)."
      ),
      (
        "a == %@ AND %K == 1", [.int(1), .data([1])],
        "The placeholder '%K' takes the name of a property, and argument 2 is of type 'Data' "
          + "(column 13)."
      ),
    ] as [(String, [QueryValue], String)])
  func `Arguments must be as many as placeholders, and fit them`(
    _ format: String, _ arguments: [QueryValue], _ detail: String
  ) throws {
    let problem = try #require(mistake(in: format, arguments.map { .value($0) }))
    expectEqual(problem.message, "Unable to parse the format string \"\(format)\". \(detail)")
    expectEqual(problem.loggedMessage, "Unable to parse the format string. \(detail)")
  }

  @Test func `A list fits no placeholder but %@`() {
    expectEqual(
      mistake(in: "a IN %d", [.list([.int(1)])])?.message,
      "Unable to parse the format string \"a IN %d\". The placeholder '%d' takes a number, and "
        + "argument 1 is a list (column 6)."
    )
  }

  @Test func `A list in a list is refused`() {
    expectEqual(
      mistake(in: "a IN {%@}", [.list([.int(1)])])?.message,
      "\(constants) (column 7). \(joined)")
  }

  @Test(
    arguments: [
      ("name.", "Invalid keypath 'name.': no key name after last '.'"),
      (".name", "Invalid keypath '.name': no key name before '.'"),
      ("", "Invalid keypath '': it names no property."),
      ("a..b", "Invalid keypath 'a..b': no key name before '.'"),
    ])
  func `An argument of %K with an empty part is refused`(_ name: String, _ message: String) {
    expectEqual(mistake(in: "%K == 1", [.value(.string(name))])?.message, message)
  }

  @Test func `Of a long text the message shows what is near the mistake`() throws {
    let ors = Array(repeating: "a == 1", count: 1000).joined(separator: " OR ")
    let problem = try #require(mistake(in: "\(ors) OR b == ? OR \(ors)"))
    expectTrue(problem.message.hasPrefix("Unable to parse the format string \"…"))
    expectTrue(problem.message.contains("OR b == ? OR"))
    expectTrue(problem.message.hasSuffix("…\". The sign '?' has no meaning (column 10006)."))
    expectTrue(problem.message.count < 400)
  }

  @Test func `Logs have no values`() throws {
    let problems = [
      mistake(in: "a == 'secret"), mistake(in: "'secret' 'secret'"),
      mistake(in: "map['secret']..b == 1"),
      mistake(in: "a IN {'secret' 'secret'}"), mistake(in: "a == 'secret' 'secret'"),
    ]
    for problem in problems {
      let problem = try #require(problem)
      expectFalse(problem.loggedMessage.contains("secret"), "\(problem)")
    }
  }
}

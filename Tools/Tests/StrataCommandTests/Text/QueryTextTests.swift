import TestKit
import Testing

@testable import StrataCommand

@Suite struct QueryTextTests {
  @Test func `A question has its clauses`() throws {
    let text = try QueryText(
      "Person where age > 3 AND name == 'sort of' sort -age, name limit 10 show name, dog.name")
    expectEqual(text.className, "Person")
    expectEqual(text.condition, "age > 3 AND name == 'sort of'")
    expectEqual(text.conditionColumn, 14)
    expectEqual(text.sort, ["-age", "name"])
    expectEqual(text.limit, 10)
    expectEqual(text.shown, ["name", "dog.name"])
  }

  @Test func `Each clause may be missing`() throws {
    try expectNil(QueryText("Person").shown)
    try expectEqual(QueryText("  Person   limit 0 ").limit, 0)
    try expectEqual(QueryText("Person SORT name").sort, ["name"])
    try expectEqual(QueryText("'My class' where a == 1").className, "My class")
  }

  @Test func `A property that is called as a clause is has a mark`() throws {
    let text = try QueryText("Person sort #limit, -#show limit 3 show #sort, name")
    expectEqual(text.sort, ["limit", "-show"])
    expectEqual(text.limit, 3)
    expectEqual(text.shown, ["sort", "name"])
  }

  @Test(arguments: [
    "name == \"a limit b\"", "SUBQUERY(dogs, $d, $d.sort > 1).@count > 0", "a IN {1, 2}",
    "name == 'it\\'s sort'", "#sort > 3",
  ])
  func `Words in quotation marks and parentheses are a part of the condition`(
    condition: String
  ) throws {
    let text = try QueryText("Person where \(condition) show name")
    expectEqual(text.condition, condition)
    expectEqual(text.shown, ["name"])
  }

  @Test(arguments: [
    ("", "The question is empty. Begin with the name of a class.", 1),
    (
      "Person age > 3",
      "'age' is none of 'where', 'sort', 'limit' and 'show'. Quote a name with spaces.", 8
    ),
    ("Person limit x", "'x' is no number of objects. Give such a number.", 14),
    ("Person limit -1", "'-1' is no number of objects. Give such a number.", 14),
    ("Person where", "Nothing follows 'where'. Complete it, or leave it out.", 13),
    (
      "Person sort age where a == 1",
      "'age where a == 1' is no property. Put commas between properties, and the clauses in this order: "
        + "where, sort, limit, show.", 13
    ),
  ])
  func `A mistake has its place`(text: String, message: String, column: Int) {
    let mistake = #expect(throws: QueryText.Mistake.self) { try QueryText(text) }
    expectEqual(mistake?.message, message)
    expectEqual(mistake?.column, column)
  }
}

import Testing

@testable import StrataCommand

@Suite struct QueryTextTests {
  @Test func `A question has its clauses`() throws {
    let text = try QueryText(
      "Person where age > 3 AND name == 'sort of' sort -age, name limit 10 show name, dog.name")
    #expect(text.className == "Person")
    #expect(text.condition == "age > 3 AND name == 'sort of'")
    #expect(text.conditionColumn == 14)
    #expect(text.sort == ["-age", "name"])
    #expect(text.limit == 10)
    #expect(text.shown == ["name", "dog.name"])
  }

  @Test func `Each clause may be missing`() throws {
    #expect(try QueryText("Person").shown == nil)
    #expect(try QueryText("  Person   limit 0 ").limit == 0)
    #expect(try QueryText("Person SORT name").sort == ["name"])
    #expect(try QueryText("'My class' where a == 1").className == "My class")
  }

  @Test func `A property that is called as a clause is has a mark`() throws {
    let text = try QueryText("Person sort #limit, -#show limit 3 show #sort, name")
    #expect(text.sort == ["limit", "-show"])
    #expect(text.limit == 3)
    #expect(text.shown == ["sort", "name"])
  }

  @Test(arguments: [
    "name == \"a limit b\"", "SUBQUERY(dogs, $d, $d.sort > 1).@count > 0", "a IN {1, 2}",
    "name == 'it\\'s sort'", "#sort > 3",
  ])
  func `Words in quotation marks and parentheses are a part of the condition`(
    condition: String
  ) throws {
    let text = try QueryText("Person where \(condition) show name")
    #expect(text.condition == condition)
    #expect(text.shown == ["name"])
  }

  @Test(arguments: [
    ("", "The question is empty. Begin with the name of a class.", 1),
    (
      "Person age > 3",
      "'age' is none of 'where', 'sort', 'limit' and 'show'. Quote a name with spaces.", 8
    ),
    ("Person limit x", "'x' is no number of objects. Give such a number.", 14),
    ("Person limit -1", "'-1' is no number of objects. Give such a number.", 14),
    ("Person where", "Nothing is behind 'where'. Leave it out, or say what.", 13),
    (
      "Person sort age where a == 1",
      "'age where a == 1' is no property. Put commas between properties, and the clauses in this order: "
        + "where, sort, limit, show.", 13
    ),
  ])
  func `A mistake has its place`(text: String, message: String, column: Int) {
    let mistake = #expect(throws: QueryText.Mistake.self) { try QueryText(text) }
    #expect(mistake?.message == message)
    #expect(mistake?.column == column)
  }
}

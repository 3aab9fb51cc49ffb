import StrataQuery
import StrataSchema
import TestKit
import Testing

@Suite struct QueryCompletionTests {
  private let schema = QuerySchema(
    Schema([
      ObjectSchema(
        className: "Person",
        properties: [
          Property(name: "name", type: .string, hasTextIndex: true),
          Property(name: "age", type: .int, isOptional: true),
          Property(name: "isDone", type: .bool),
          Property(name: "dog", type: .object, objectClassName: "Dog"),
          Property(name: "dogs", type: .object, objectClassName: "Dog", collection: .list),
          Property(name: "scores", type: .int, collection: .map),
        ]),
      ObjectSchema(
        className: "Dog",
        properties: [
          Property(name: "name", type: .string),
          Property(name: "owner", type: .object, objectClassName: "Person"),
        ]),
    ]))

  private func completion(_ text: String) throws -> QueryCompletion {
    QueryCompletion(of: text, of: try #require(schema["Person"]), schema)
  }

  private func texts(_ text: String) throws -> [String] { try completion(text).items.map(\.text) }

  @Test func `A condition begins with a property or a word`() throws {
    let items = try texts("")
    expectEqual(items.prefix(6), ["name", "age", "isDone", "dog", "dogs", "scores"])
    expectTrue(items.contains("ANY"))
    try expectEqual(texts("ag"), ["age"])
    try expectEqual(texts("AN"), ["ANY"])
    try expectEqual(texts("age > 3 AND (do"), ["dog", "dogs"])
    try expectEqual(texts("NOT na"), ["name"])
  }

  @Test func `Behind a dot are the properties of the class`() throws {
    try expectEqual(texts("dog."), ["name", "owner"])
    try expectEqual(texts("dog.owner.ag"), ["age"])
    try expectEqual(texts("ANY dogs."), ["name", "owner", "@count"])
    try expectEqual(texts("scores.@a"), ["@avg", "@allKeys", "@allValues"])
    try expectEqual(texts("nothing."), [])
    try expectEqual(completion("dog.na").partial, "na")
  }

  @Test func `Behind a property are the operators of its type`() throws {
    let age = try texts("age ")
    expectTrue(age.contains("BETWEEN") && !age.contains("CONTAINS"))
    try expectTrue(texts("name ").contains("TEXT"))
    try expectFalse(texts("dog.name ").contains("TEXT"))
    try expectEqual(texts("isDone "), ["==", "!=", "IN"])
    try expectEqual(texts("name BEG"), ["BEGINSWITH"])
  }

  @Test func `Behind an operator is a value`() throws {
    try expectEqual(texts("isDone == ").prefix(2), ["TRUE", "FALSE"])
    try expectTrue(texts("age == n").contains("nil"))
    try expectEqual(completion("name == 'Os").value?.typed, "Os")
    try expectEqual(completion("name == 'Os").partial, "'Os")
    try expectEqual(completion("name == Os").value?.property.property.name, "name")
    try expectEqual(completion("dog.name CONTAINS[c] '").value?.property.className, "Dog")
    try expectNil(completion("age > 3 AND ").value)
  }

  @Test func `Behind a comparison are the connectives`() throws {
    try expectEqual(texts("age > 3 "), ["AND", "OR"])
    try expectEqual(texts("age IN {1, 2} "), ["AND", "OR"])
    try expectEqual(texts("name == 'a' O"), ["OR"])
    try expectEqual(texts("(age > 3) "), ["AND", "OR"])
  }

  @Test func `No text stops it`() throws {
    for text in [
      "'", "((((", "a.b.c.d.", "...", "age > > >", "\u{0}", "🐕 == ", "SUBQUERY(dogs, $d, ",
    ] {
      _ = try completion(text)
    }
  }
}

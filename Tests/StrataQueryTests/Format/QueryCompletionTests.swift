import StrataQuery
import StrataSchema
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
    #expect(items.prefix(6) == ["name", "age", "isDone", "dog", "dogs", "scores"])
    #expect(items.contains("ANY"))
    #expect(try texts("ag") == ["age"])
    #expect(try texts("AN") == ["ANY"])
    #expect(try texts("age > 3 AND (do") == ["dog", "dogs"])
    #expect(try texts("NOT na") == ["name"])
  }

  @Test func `Behind a dot are the properties of the class`() throws {
    #expect(try texts("dog.") == ["name", "owner"])
    #expect(try texts("dog.owner.ag") == ["age"])
    #expect(try texts("ANY dogs.") == ["name", "owner", "@count"])
    #expect(try texts("scores.@a") == ["@avg", "@allKeys", "@allValues"])
    #expect(try texts("nothing.") == [])
    #expect(try completion("dog.na").partial == "na")
  }

  @Test func `Behind a property are the operators of its type`() throws {
    let age = try texts("age ")
    #expect(age.contains("BETWEEN") && !age.contains("CONTAINS"))
    #expect(try texts("name ").contains("TEXT"))
    #expect(try !texts("dog.name ").contains("TEXT"))
    #expect(try texts("isDone ") == ["==", "!=", "IN"])
    #expect(try texts("name BEG") == ["BEGINSWITH"])
  }

  @Test func `Behind an operator is a value`() throws {
    #expect(try texts("isDone == ").prefix(2) == ["TRUE", "FALSE"])
    #expect(try texts("age == n").contains("nil"))
    #expect(try completion("name == 'Os").value?.typed == "Os")
    #expect(try completion("name == 'Os").partial == "'Os")
    #expect(try completion("name == Os").value?.property.property.name == "name")
    #expect(try completion("dog.name CONTAINS[c] '").value?.property.className == "Dog")
    #expect(try completion("age > 3 AND ").value == nil)
  }

  @Test func `Behind a comparison are the connectives`() throws {
    #expect(try texts("age > 3 ") == ["AND", "OR"])
    #expect(try texts("age IN {1, 2} ") == ["AND", "OR"])
    #expect(try texts("name == 'a' O") == ["OR"])
    #expect(try texts("(age > 3) ") == ["AND", "OR"])
  }

  @Test func `No text stops it`() throws {
    for text in [
      "'", "((((", "a.b.c.d.", "...", "age > > >", "\u{0}", "🐕 == ", "SUBQUERY(dogs, $d, ",
    ] {
      _ = try completion(text)
    }
  }
}

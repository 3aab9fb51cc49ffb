import StrataQuery
import TestKit
import Testing

@Suite("Placeholders of format strings")
struct FormatPlaceholderTests {
  @Test(
    arguments: [
      .null, .bool(true), .int(3), .float(1.5), .double(.nan), .decimal("1.0"), .string("x'y"),
      .data([1]), .date("2001"), .uuid("U"), .objectId("O"), .unsupported(typeName: "URL"),
    ] as [QueryValue])
  func `%@ takes any value as it is`(_ value: QueryValue) throws {
    try expectEqual(
      QueryFormat.parse("a == %@", [.value(value)]).description,
      compare("a", .equal, value).description)
  }

  @Test func `%@ takes a list`() throws {
    try expectEqual(
      QueryFormat.parse("a IN %@", [.list([.int(1), .null])]),
      compare(path("a"), .in, .list([.int(1), .null])))
    try expectEqual(
      QueryFormat.parse("a IN {1, %@}", [.value(.int(2))]),
      compare(path("a"), .in, .list([.int(1), .int(2)])))
  }

  @Test(
    arguments: [
      "%d", "%i", "%u", "%x", "%X", "%c", "%hd", "%hhd", "%ld", "%lu", "%lld", "%llu", "%qd",
      "%qu", "%zd", "%f", "%e", "%g", "%lf", "%Lf", "%5d", "%.2f", "%-5d", "%05d",
    ])
  func `Specifiers of numbers take any number`(_ specifier: String) throws {
    for value in [QueryValue.int(-1), .double(1.5), .float(2), .decimal("3"), .bool(true)] {
      try expectEqual(
        QueryFormat.parse("a == \(specifier)", [.value(value)]), compare("a", .equal, value))
    }
  }

  @Test(arguments: ["%s", "%S"]) func `%s takes a text`(_ specifier: String) throws {
    try expectEqual(
      QueryFormat.parse("a == \(specifier)", [.value(.string("x"))]),
      compare("a", .equal, .string("x")))
  }

  @Test(
    arguments: [
      ("%K", ["name"], "name"), ("%K", ["dog.name"], "dog.name"), ("dog.%K", ["name"], "dog.name"),
      ("%K.name", ["dog"], "dog.name"), ("%K.%K", ["a b", "and"], "a b.and"),
      ("%K", ["dogs.@avg.age"], "dogs.@avg.age"), ("dogs.%K", ["@count"], "dogs.@count"),
      ("%K", ["map.@allKeys"], "map.@allKeys"),
    ])
  func `%K takes the names of a path`(_ text: String, _ names: [String], _ whole: String) throws {
    try expectEqual(
      QueryFormat.parse("\(text) == 1", names.map { .value(.string($0)) }),
      compare(whole, .equal, .int(1)))
  }

  @Test func `Arguments go to the placeholders in their order`() throws {
    try expectEqual(
      QueryFormat.parse(
        "%K == %@ OR '%@' == map[%@] OR SUBQUERY(%K, $x, $x.%K > %d).@count == 0",
        ["a", 1, "key", "dogs", "age", 5].map { value in
          .value((value as? Int).map { .int(Int64($0)) } ?? .string("\(value)"))
        }),
      .or([
        compare("a", .equal, .int(1)),
        compare(
          .value(.string("%@")), .equal, .path(QueryPath([.property("map"), .key("key")]))),
        compare(
          .subquery(
            QuerySubquery(
              queryPath("dogs"), "x",
              compare(path("age", variable: "x"), .greater, .value(.int(5))))),
          .equal, .value(.int(0))),
      ]))
  }
}

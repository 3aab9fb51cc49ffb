import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The complete message of each mistake in a condition. A mistake changes nothing.
@Suite struct QueryErrorsTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    var format: String
    var arguments: [any Sendable]
    var message: String

    init(_ format: String, _ arguments: any Sendable..., message: String) {
      self.format = format
      self.arguments = arguments
      self.message = message
    }

    var testDescription: String { format }
  }

  private static func path(_ path: String, _ reason: String) -> String {
    "Invalid keypath '\(path)': \(reason)"
  }

  static let mistakes = [
    Mistake(
      "age >",
      message:
        "Unable to parse the format string \"age >\". A value is missing after '>' (column 6)."
    ),
    Mistake(
      "age == %@ AND int == %@", 1,
      message: "Unable to parse the format string \"age == %@ AND int == %@\". It has 2 "
        + "placeholders, and 1 argument was given."),
    Mistake(
      "other.nme == 'x'",
      message: path(
        "other.nme",
        "Property 'nme' not found in object of type 'QueriedOther'. It has: name. Did you mean "
          + "'name'?")),
    Mistake(
      "age.x == 1",
      message: path(
        "age.x",
        "Property 'QueriedItem.age' is not a link or collection and can only appear at the end of a "
          + "keypath.")),
    Mistake(
      "ANY ints.x == 1",
      message: path(
        "ints.x",
        "array<int> property ints can only be followed by a collection operation. Use '@count', "
          + "'@min', '@max', '@sum' or '@avg'.")),
    Mistake(
      "ANY numbers.x == 1",
      message: path(
        "numbers.x",
        "dictionary<string, int> property numbers can only be followed by a collection operation. Use "
          + "'@count', '@min', '@max', '@sum', '@avg', '@allKeys' or '@allValues', or a key: "
          + "numbers['key'].")),
    Mistake(
      "numbers.@allKeys == 'x'",
      message: "Key paths that include a collection property must use aggregate operations. Write "
        + "'ANY', 'ALL' or 'NONE' before 'numbers.@allKeys'."),
    Mistake(
      "SUBQUERY(items, $x, $y.age == 1).@count > 0",
      message: "Invalid variable '$y': it is not the variable of a SUBQUERY around it. Pass "
        + "constants with '%@'."),
    Mistake(
      "age < {1, 2}",
      message:
        "Operator '<' can't compare with several values. Use 'IN', or 'BETWEEN' for a range."
    ),
    Mistake("%K == 1", "", message: path("", "it names no property.")),
    Mistake(
      "name == $0", "x",
      message: "Unable to parse the format string \"name == $0\". '$0' belongs to the language of "
        + "other SDKs (column 9). Use '%@' for each argument, in their order."),
    Mistake(
      "items.@count.@min == 1",
      message: path("items.@count.@min", "@count must appear at the end of a keypath.")),
    Mistake(
      "age.@count == 1",
      message: path(
        "age.@count",
        "Property 'QueriedItem.age' is not a link or collection and can only appear at the end of a "
          + "keypath.")),
    Mistake(
      "items.@min == 1",
      message: path(
        "items.@min",
        "@min on a collection of objects cannot appear at the end of a keypath. Name a numeric "
          + "property of the objects after it.")),
    Mistake(
      "ints.@min.x == 1",
      message: path(
        "ints.@min.x", "@min on a collection of values must appear at the end of a keypath.")),
    Mistake(
      "texts.@max == 1",
      message: path(
        "texts.@max", "@max can only be applied to a collection of numeric values.")),
    Mistake(
      "items.@sum.name == 1",
      message: path("items.@sum.name", "@sum must be followed by a numeric property.")),
    Mistake(
      "ANY ints.@allKeys == 'x'",
      message: path("ints.@allKeys", "@allKeys must follow a dictionary property.")),
    Mistake(
      "name['x'] == 'x'",
      message: path(
        "name['x']",
        "only dictionaries and realm Any support subscript predicates. Subscript a 'Map' with one of "
          + "its keys.")),
    Mistake(
      "age == 'x'",
      message: "Cannot compare value 'x' of type 'String' to property 'age' of type 'int'."),
    Mistake("age CONTAINS 1", message: "Operator 'CONTAINS' not supported for type 'int'."),
    Mistake("age == name", message: "Property type mismatch between int and string."),
    Mistake(
      "'x' CONTAINS name",
      message: "Operator 'CONTAINS' requires a keypath on the left side. Write the property first, "
        + "and the value after the operator."),
    Mistake(
      "5 == 5",
      message: "Predicate expressions must compare a keypath and another keypath or a constant "
        + "value. Name a property on one side."),
    Mistake(
      "ints == 1",
      message: "Key paths that include a collection property must use aggregate operations. Write "
        + "'ANY', 'ALL' or 'NONE' before 'ints', or '@count' after it."),
    Mistake(
      "ANY age == 1",
      message: "Aggregate operations can only be used on key paths that include an collection "
        + "property. Leave out 'ANY' before 'age'."),
    Mistake(
      "ALL items.@count == 1",
      message: "Aggregate operations can only be used on key paths that include an collection "
        + "property. Leave out 'ALL' before 'items.@count'."),
    Mistake(
      "items.@count == ints.@count",
      message: "Key paths including aggregate operations cannot be compared with other aggregate "
        + "operations. Compare one of them with a constant or a property."),
    Mistake("items.@count == 'x'", message: "@count can only be compared with a numeric value."),
    Mistake(
      "items.@min.age == 'x'",
      message: "@min on a property of type int cannot be compared with 'x'."),
    Mistake(
      "dates.@sum == 1", message: "Cannot sum or average date properties. Use '@min' or '@max'."),
    Mistake(
      "ANY numbers.@allKeys == 1",
      message: "@allKeys can only be compared with a string value."),
    Mistake(
      "age BETWEEN 1",
      message: "object must be of type NSArray for BETWEEN operations. Pass the smallest and the "
        + "greatest value: 'BETWEEN {1, 5}'."),
    Mistake(
      "age BETWEEN %@", [1, 2, 3],
      message: "NSArray object must contain exactly two objects for BETWEEN operations. It has 3."),
    Mistake(
      "age BETWEEN {1, 'x'}",
      message: "NSArray objects must be of type int for BETWEEN operations."),
    Mistake(
      "age BETWEEN int",
      message: "Predicate with BETWEEN operator must compare a KeyPath with an aggregate with two "
        + "values. For two properties use '>=' and '<='."),
    Mistake(
      "age IN 1",
      message:
        "IN clause requires an array of items. Pass a sequence, or use 'CONTAINS' to search a "
        + "text."),
    Mistake(
      "age IN int",
      message: "Predicate with IN operator must compare a KeyPath with an aggregate. Pass a "
        + "sequence, or use '==' for two properties."),
    Mistake(
      "name <[c] 'x'",
      message: "Lexicographical comparisons must be case-sensitive. Leave out '[c]' and '[d]'."),
    Mistake(
      "name LIKE[d] 'x'",
      message:
        "Operator 'LIKE' not supported with diacritic-insensitive modifier. Use 'LIKE[c]', or "
        + "'CONTAINS[cd]'."),
    Mistake(
      "SUBQUERY(items, $i, $i.age > 1).@count == name",
      message: "SUBQUERY is only supported when immediately followed by .@count that is compared "
        + "with a constant number."),
    Mistake(
      "SUBQUERY(ints, $i, $i > 1).@count == 1",
      message: "SUBQUERY must be of a collection of objects: 'ints' is none. For values, use 'ANY'."
    ),
  ]

  private func withItems(_ body: (Realm) throws -> Void) throws {
    try TestFile().open(Queried.types) { realm in
      try realm.write {
        realm.create(QueriedItem.self, value: ["id": 1])
        realm.create(QueriedItem.self, value: ["id": 2])
      }
      try body(realm)
      expectEqual(realm.objects(QueriedItem.self).count, 2)
    }
  }

  @Test(arguments: mistakes)
  func `A mistake is thrown where it can be, and reported where not`(_ mistake: Mistake) throws {
    try withItems { realm in
      let items = realm.objects(QueriedItem.self)
      let predicate = NSPredicate(format: mistake.format, argumentArray: mistake.arguments)
      if mistake.arguments.isEmpty {
        expectError(mistake.message, code: .fail) {
          _ = try items.filter(validating: mistake.format)
        }
      }
      expectIssue(mistake.message) {
        let found = items.filter(predicate)
        expectTrue(found.isEmpty && found.first == nil && Array(found).isEmpty)
      }
      expectError(mistake.message) {
        try realm.write {
          realm.create(QueriedItem.self, value: ["id": 3])
          realm.delete(items.filter(predicate))
        }
      }
    }
  }

  /// Realm's messages come first, before the parser's explanation.
  @Test(
    arguments: [
      (".name == 1", "no key name before '.'"), ("dogs. == 1", "no key name after last '.'"),
      ("items.@average.age == 1", "Unsupported collection operation '@average'"),
      ("ANY {1, age} == 1", "Expressions within predicate aggregates must be constant values"),
      ("age IN {1, int}", "Expressions within predicate aggregates must be constant values"),
      ("FUNCTION(age) == 1", "function is not supported"),
      ("numbers[SIZE] == 1", "support subscript predicates."),
      ("numbers[1] == 1", "support subscript predicates."),
      ("items.@min.@max.age == 1", "at most one collection operation per keypath is supported."),
      ("name IN 'abc'", "IN clause requires an array of items"),
      ("SUBQUERY(items, $i, $i.age > 1) == 1", "is only supported when immediately followed by"),
    ])
  func `The sentences of the parser reach the program`(_ format: String, _ part: String) throws {
    try withItems { realm in
      expectError(containing: part) {
        _ = try realm.objects(QueriedItem.self).filter(validating: format)
      }
    }
  }

  @Test func `A block is no condition`() throws {
    try withItems { realm in
      let block = NSPredicate(block: { _, _ in true })
      expectError(beginning: "Only support compound, comparison, and constant predicates") {
        try realm.write { realm.delete(realm.objects(QueriedItem.self).filter(block)) }
      }
    }
  }
}

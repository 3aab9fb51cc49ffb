import Foundation
import Strata
import StrataTestKit
import Testing

private typealias Dog = Pets.Dog
private typealias Cat = Pets.Cat

/// A change of `Item.value` that needs a higher version, and what it does to a value.
struct RelationshipChange: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var old: ObjectBase.Type
  var new: ObjectBase.Type
  /// The end of the line that refuses the change without a higher version.
  var line: String
  var value: @Sendable () -> Any
  /// The value as the old side shows it, and as the new side does.
  var before: String
  var after: String

  init<Old: Persistable, New: Persistable>(
    _ old: Old.Type, _ new: New.Type, _ line: String,
    _ value: @autoclosure @escaping @Sendable () -> Any,
    _ before: String, _ after: String
  ) {
    testDescription = "\(old) -> \(new)"
    self.old = One<Old>.Item.self
    self.new = One<New>.Item.self
    self.line = line
    self.value = value
    self.before = before
    self.after = after
  }

  var oldTypes: [ObjectBase.Type] { [old] + Pets.types }
  var newTypes: [ObjectBase.Type] { [new] + Pets.types }

  static let all = targets + kinds + elements + optionality + values

  private static let rex = ["name": "Rex"]

  static let targets = [
    RelationshipChange(
      Dog?.self, Cat?.self, "changed from '<Dog>' to '<Cat>'.", rex, "Rex", "nil"),
    RelationshipChange(
      List<Dog>.self, List<Cat>.self, "changed from 'array<Dog>' to 'array<Cat>'.",
      [rex, rex], "[Rex, Rex]", "[]"),
    RelationshipChange(
      MutableSet<Dog>.self, MutableSet<Cat>.self, "changed from 'set<Dog>' to 'set<Cat>'.",
      [rex], "[Rex]", "[]"),
    RelationshipChange(
      Map<String, Dog?>.self, Map<String, Cat?>.self,
      "changed from 'dictionary<string, Dog>' to 'dictionary<string, Cat>'.",
      ["a": rex, "b": nil], "[a: Rex, b: nil]", "[]"),
  ]

  static let kinds = [
    RelationshipChange(
      List<Int>.self, MutableSet<Int>.self, "changed from 'array<int>' to 'set<int>'.",
      [2, 1], "[2, 1]", "[]"),
    RelationshipChange(
      MutableSet<Dog>.self, List<Dog>.self, "changed from 'set<Dog>' to 'array<Dog>'.",
      [rex], "[Rex]", "[]"),
    RelationshipChange(
      List<Dog>.self, MutableSet<Dog>.self, "changed from 'array<Dog>' to 'set<Dog>'.",
      [rex], "[Rex]", "[]"),
    RelationshipChange(
      List<Dog>.self, Map<String, Dog?>.self,
      "changed from 'array<Dog>' to 'dictionary<string, Dog>'.", [rex], "[Rex]", "[]"),
    RelationshipChange(
      Map<String, Int>.self, MutableSet<Int>.self,
      "changed from 'dictionary<string, int>' to 'set<int>'.", ["a": 1], "[a: 1]", "[]"),
    RelationshipChange(
      Int.self, List<Int>.self, "changed from 'int' to 'array<int>'.", 7, "7", "[]"),
    RelationshipChange(
      List<Int>.self, Int.self, "changed from 'array<int>' to 'int'.", [7], "[7]", "0"),
    RelationshipChange(
      Map<String, String>.self, String?.self,
      "changed from 'dictionary<string, string>' to 'string'.", ["a": "b"], "[a: b]", "nil"),
    RelationshipChange(
      Dog?.self, List<Dog>.self, "changed from '<Dog>' to 'array<Dog>'.", rex, "Rex", "[]"),
    RelationshipChange(
      List<Dog>.self, Dog?.self, "changed from 'array<Dog>' to '<Dog>'.", [rex], "[Rex]", "nil"),
  ]

  static let elements = [
    RelationshipChange(
      List<Int>.self, List<String>.self, "changed from 'array<int>' to 'array<string>'.",
      [1, 2], "[1, 2]", "[]"),
    RelationshipChange(
      MutableSet<Double>.self, MutableSet<Float>.self,
      "changed from 'set<double>' to 'set<float>'.", [0.5], "[0.5]", "[]"),
    RelationshipChange(
      Map<String, Bool>.self, Map<String, Int>.self,
      "changed from 'dictionary<string, bool>' to 'dictionary<string, int>'.",
      ["a": true], "[a: true]", "[]"),
    RelationshipChange(
      List<Int?>.self, List<String>.self, "changed from 'array<int>' to 'array<string>'.",
      [1, nil] as [Int?], "[1, nil]", "[]"),
    RelationshipChange(
      List<AnyRealmValue>.self, List<Int>.self, "changed from 'array<mixed>' to 'array<int>'.",
      [1, "a"] as [Any], "[1, a]", "[]"),
    RelationshipChange(
      List<Int>.self, List<Dog>.self, "changed from 'array<int>' to 'array<Dog>'.",
      [1], "[1]", "[]"),
  ]

  static let optionality = [
    RelationshipChange(
      List<Int>.self, List<Int?>.self, "made optional.", [2, 1], "[2, 1]", "[2, 1]"),
    RelationshipChange(
      MutableSet<String>.self, MutableSet<String?>.self, "made optional.",
      ["b", "a"], "[a, b]", "[a, b]"),
    RelationshipChange(
      Map<String, Double>.self, Map<String, Double?>.self, "made optional.",
      ["a": 0.5], "[a: 0.5]", "[a: 0.5]"),
    RelationshipChange(
      List<Int?>.self, List<Int>.self, "made required.",
      [2, nil, 1] as [Int?], "[2, nil, 1]", "[2, 0, 1]"),
    RelationshipChange(
      MutableSet<String?>.self, MutableSet<String>.self, "made required.",
      ["a", nil, ""] as [String?], "[nil, , a]", "[, a]"),
    RelationshipChange(
      Map<String, Double?>.self, Map<String, Double>.self, "made required.",
      ["a": 0.5, "b": nil] as [String: Double?], "[a: 0.5, b: nil]", "[a: 0.5, b: 0.0]"),
  ]

  private static let id = ObjectId("0123456789abcdef01234567")
  private static let hex = id.stringValue

  static let values = [
    RelationshipChange(
      Dog?.self, Int.self, "changed from '<Dog>' to 'int'.", rex, "Rex", "0"),
    RelationshipChange(
      Int.self, Dog?.self, "changed from 'int' to '<Dog>'.", 1, "1", "nil"),
    RelationshipChange(
      ObjectId?.self, String?.self, "changed from 'object id' to 'string'.",
      id, hex, "nil"),
    RelationshipChange(
      String.self, ObjectId?.self, "changed from 'string' to 'object id'.", hex, hex, "nil"),
    RelationshipChange(
      Decimal128.self, Double.self, "changed from 'decimal' to 'double'.",
      1.5 as Decimal128, "1.5", "0.0"),
    RelationshipChange(
      Int.self, Decimal128.self, "changed from 'int' to 'decimal'.", 7, "7", "0"),
    RelationshipChange(
      AnyRealmValue.self, Int.self, "changed from 'mixed' to 'int'.", 7, "7", "0"),
    RelationshipChange(
      Int.self, AnyRealmValue.self, "changed from 'int' to 'mixed'.", 7, "7", "nil"),
    RelationshipChange(
      ObjectId.self, ObjectId?.self, "made optional.", id, hex, hex),
    RelationshipChange(
      Decimal128.self, Decimal128?.self, "made optional.", 1.5 as Decimal128, "1.5", "1.5"),
    RelationshipChange(
      Decimal128?.self, Decimal128.self, "made required.", 1.5 as Decimal128, "1.5", "1.5"),
    RelationshipChange(
      Decimal128?.self, Decimal128.self, "made required.", (nil as Decimal128?) as Any, "nil", "0"),
    RelationshipChange(
      ObjectId?.self, ObjectId.self, "made required.", (nil as ObjectId?) as Any, "nil",
      "000000000000000000000000"),
  ]
}

import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Values of custom types, stored as embedded objects, as arguments of conditions.
@Suite struct CustomTypeConditionTests {
  final class StoredSpot: EmbeddedObject {
    @Persisted var x = 0
    @Persisted var y: Int?

    override class func propertiesMapping() -> [String: String] { ["y": "column_y"] }
  }

  struct Spot: CustomPersistable, Hashable, Codable {
    var x: Int
    var y: Int?

    init(_ x: Int, _ y: Int? = nil) { (self.x, self.y) = (x, y) }
    init(persistedValue: StoredSpot) { (x, y) = (persistedValue.x, persistedValue.y) }
    var persistableValue: StoredSpot { StoredSpot(value: ["x": x, "y": y]) }
  }

  final class Trip: Object {
    @Persisted var name = ""
    @Persisted var spot = Spot(0)
    @Persisted var last: Spot?
    @Persisted var spots: List<Spot>
    @Persisted var byName: Map<String, Spot>
    @Persisted var optionals: Map<String, Spot?>
    @Persisted var any: AnyRealmValue
    @Persisted var next: Trip?
    @Persisted var parts: List<Trip>
    @Persisted var lines: Line?
  }

  final class StoredLine: EmbeddedObject { @Persisted var xs: List<Int> }

  struct Line: CustomPersistable {
    init() {}
    init(persistedValue: StoredLine) {}
    var persistableValue: StoredLine { StoredLine() }
  }

  private let folder: TestFolder
  private let realm: Realm

  private static let types = [Trip.self, StoredSpot.self, StoredLine.self]

  private static func trips() -> [Trip] {
    let (a, b, c) = (Trip(value: ["a"]), Trip(value: ["b"]), Trip(value: ["c"]))
    (a.spot, a.last) = (Spot(1), nil)
    a.spots.append(objectsIn: [Spot(1, 2), Spot(3)])
    a.byName["k"] = Spot(1)
    a.optionals["k"] = Spot(1)
    (b.spot, b.last, b.next) = (Spot(2), Spot(1), a)
    b.spots.append(Spot(1, 2))
    b.byName["k"] = Spot(2)
    b.optionals["k"] = .some(nil)
    b.parts.append(a)
    (c.spot, c.last, c.next) = (Spot(1, 5), Spot(2, 2), b)
    c.parts.append(objectsIn: [a, b])
    return [a, b, c]
  }

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Self.types))
    try realm.write { realm.add(Self.trips()) }
  }

  private func expectFound(
    _ names: String, _ format: String, _ arguments: Any...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let predicate = NSPredicate(format: format, argumentArray: arguments)
    let inFile = realm.objects(Trip.self).filter(predicate)
    expectEqual(inFile.map(\.name).joined(), names, sourceLocation: sourceLocation)
    let trips = Self.trips()
    let inMemory = trips.filter { predicate.evaluate(with: $0) }
    expectEqual(inMemory.map(\.name).joined(), names, sourceLocation: sourceLocation)
    let list = List<Trip>()
    list.append(objectsIn: trips)
    expectEqual(list.filter(predicate).map(\.name).joined(), names, sourceLocation: sourceLocation)
  }

  @Test func `A property is compared by its members, in each form of the text`() {
    expectFound("a", "spot == %@", Spot(1))
    expectFound("a", "%@ == spot", Spot(1))
    expectFound("bc", "spot != %@", Spot(1))
    expectFound("bc", "spot <> %@", Spot(1))
    expectFound("bc", "NOT spot == %@", Spot(1))
    expectFound("a", "NOT spot != %@", Spot(1))
    expectFound("ab", "spot IN %@", [Spot(1), Spot(2)])
    expectFound("ab", "spot IN {%@, %@}", Spot(1), Spot(2))
    expectFound("ac", "spot == %@ OR spot.y == 5", Spot(1))
    expectFound("b", "spot == %@", StoredForm.value(Spot(2)))
  }

  /// A custom type inside of an `Any` that is an optional.
  private enum StoredForm {
    static func value(_ spot: Spot) -> Any { Spot?.some(spot) as Any }
  }

  @Test func `Nil is unlike each value`() {
    expectFound("b", "last == %@", Spot(1))
    expectFound("ac", "last != %@", Spot(1))
    expectFound("a", "last == %@", Spot?.none as Any)
    expectFound("bc", "last != nil")
    expectFound("ab", "last IN %@", [Spot(1), nil] as [Spot?])
    expectFound("c", "NOT last IN %@", [Spot(1), nil] as [Spot?])
    expectFound("ac", "NOT last IN %@", [Spot(1)])
  }

  @Test func `All members are those of one element`() {
    expectFound("ab", "ANY spots == %@", Spot(1, 2))
    expectFound("", "ANY spots == %@", Spot(3, 2))
    expectFound("a", "ANY spots != %@", Spot(1, 2))
    expectFound("c", "NONE spots == %@", Spot(1, 2))
    expectFound("bc", "ALL spots == %@", Spot(1, 2))
    expectFound("ac", "ALL spots != %@ OR name == 'a'", Spot(1, 2))
    expectFound("a", "ANY spots IN %@", [Spot(3), Spot(9)])
    expectFound("bc", "ALL spots IN %@", [Spot(1, 2), Spot(9)])
    expectFound("bc", "NONE spots IN %@", [Spot(3)])
    expectFound("a", "%@ IN spots", Spot(3))
    expectFound("ab", "SUBQUERY(spots, $s, $s == %@).@count == 1", Spot(1, 2))
    expectFound("a", "SUBQUERY(spots, $s, NOT $s == %@).@count == 1", Spot(1, 2))
  }

  @Test func `Values of a map are compared, nil among them`() {
    expectFound("a", "ANY byName == %@", Spot(1))
    expectFound("b", "ANY byName.@allValues != %@", Spot(1))
    expectFound("a", "ANY optionals.@allValues == %@", Spot(1))
    expectFound("b", "ANY optionals != %@", Spot(1))
    expectFound("ac", "ALL optionals == %@", Spot(1))
    expectFound("ab", "ANY optionals IN %@", [Spot(1), nil] as [Spot?])
    expectFound("b", "ANY optionals IN %@", [Spot(7), nil] as [Spot?])
  }

  @Test func `A value behind links and collections is compared`() {
    expectFound("b", "next.spot == %@", Spot(1))
    expectFound("ac", "next.spot != %@", Spot(1))
    expectFound("b", "ANY next.spots == %@", Spot(3))
    expectFound("c", "ANY parts.spot == %@", Spot(2))
    expectFound("bc", "ANY parts.spots == %@", Spot(3))
    expectFound("a", "ALL parts.spots == %@", Spot(1, 2))
    expectFound("ab", "NONE parts.spot != %@", Spot(1))
    expectFound("c", "ANY parts.next.spot == %@", Spot(1))
    // A nil link on the way is left out, as where other values are compared.
    expectFound("", "ANY parts.next.spot != %@", Spot(1))
    expectFound("", "ANY parts.next.name != 'a'")
    expectFound("bc", "SUBQUERY(parts, $p, $p.spot == %@).@count == 1", Spot(1))
    expectFound("c", "SUBQUERY(parts, $p, NOT $p.spot == %@).@count > 0", Spot(1))
    expectFound("c", "SUBQUERY(parts, $p, ANY $p.spots == %@).@count == 2", Spot(1, 2))
  }

  @Test func `Elements of a collection find themselves`() {
    for trip in [realm.objects(Trip.self)[0], Self.trips()[0]] {
      expectEqual(Array(trip.spots.filter("SELF == %@", Spot(3))), [Spot(3)])
      expectEqual(Array(trip.spots.filter("SELF != %@", Spot(3))), [Spot(1, 2)])
      expectEqual(trip.spots.index(matching: "SELF IN %@", [Spot(9), Spot(3)]), 1)
      expectEqual(Array(trip.byName.filter("SELF == %@", Spot(1))), [Spot(1)])
      expectEqual(trip.spots.where { $0 == Spot(3) }.count, 1)
    }
    expectTrue(NSPredicate(format: "SELF == %@", Spot(3)).evaluate(with: Spot(3)))
    expectFalse(NSPredicate(format: "SELF == %@", Spot(3)).evaluate(with: Spot(1, 2)))
  }

  @Test func `Closures, predicates and texts find the same`() {
    let (trips, spot) = (realm.objects(Trip.self), Spot(1, 2))
    expectEqual(trips.where { $0.spot == Spot(1) }.map(\.name), ["a"])
    expectEqual(trips.where { $0.spots == spot }.map(\.name), ["a", "b"])
    expectEqual(trips.where { $0.spots != spot }.map(\.name), ["a"])
    expectEqual(trips.where { ($0.parts.spot == Spot(1)).count == 1 }.map(\.name), ["b", "c"])
    expectEqual(trips.where { ($0.spots == spot).count == 1 }.map(\.name), ["a", "b"])
    expectTrue(trips.filter(#Predicate { $0.spot == spot }).isEmpty)
    expectEqual(trips.filter(#Predicate { $0.spots.contains(spot) }).map(\.name), ["a", "b"])
    expectEqual(trips.filter("spot == %@", Spot(1)).map(\.name), ["a"])
  }

  private func expectError(
    _ text: String, _ format: String, _ argument: Any,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: Realm.Error.self, sourceLocation: sourceLocation) {
      _ = try realm.objects(Trip.self).filter(validating: format, argument)
    }
    expectEqual(error?.message, text, sourceLocation: sourceLocation)
  }

  @Test func `Each mistake says what is wrong`() {
    expectError(
      "Unsupported property 'StoredLine.xs' for memberwise equality query: equality on collections "
        + "is not implemented. Compare the other properties one by one.", "lines == %@", Line())
    expectError(
      "Cannot compare value 'StoredLine' of type 'StoredLine' to property 'spot' of type "
        + "'StoredSpot'.", "spot == %@", Line())
    expectError(
      "Cannot compare value 'StoredSpot' of type 'StoredSpot' to property 'name' of type 'string'.",
      "name == %@", Spot(1))
    expectError(
      "Cannot compare value 'StoredSpot' of type 'StoredSpot' to property 'any' of type 'mixed'.",
      "#any == %@", Spot(1))
    expectError("Operator '<' not supported for type 'object'.", "spot < %@", Spot(1))
    expectError("Operator '==[c]' not supported for type 'object'.", "spot ==[c] %@", Spot(1))
    expectError(
      "Key paths that include a collection property must use aggregate operations. Write 'ANY', "
        + "'ALL' or 'NONE' before 'spots', or '@count' after it.", "spots == %@", Spot(1))
    expectError(
      "Aggregate operations can only be used on key paths that include an collection property. "
        + "Leave out 'ANY' before 'spot'.", "ANY spot == %@", Spot(1))
  }

  // MARK: Files that are opened without the class

  private enum Other {
    final class Trip: Object { @Persisted var spot: StoredSpot? }

    final class StoredSpot: EmbeddedObject {
      @Persisted var x = 0
      @Persisted var z = 0
    }
  }

  @Test func `A file that is opened without the class has its columns`() throws {
    let other = try TestFolder()
    try other.write(Self.types) { realm in realm.add(Self.trips()) }
    var configuration = Realm.Configuration(fileURL: other.file)
    configuration.dynamicClasses = .all
    let dynamic = try Realm(configuration: configuration)
    let trips = dynamic.dynamicObjects("Trip")
    expectEqual(trips.filter("spot == %@", Spot(1)).map { $0["name"] as? String }, ["a"])
    expectEqual(trips.filter("ANY spots == %@", Spot(1, 2)).count, 2)
  }

  @Test func `A class with other properties in the file is an error`() throws {
    let other = try TestFolder()
    try other.write([Other.Trip.self, Other.StoredSpot.self]) { realm in
      realm.create(Other.Trip.self, value: [["x": 1, "z": 0]])
    }
    var configuration = Realm.Configuration(fileURL: other.file)
    configuration.dynamicClasses = .all
    let trips = try Realm(configuration: configuration).dynamicObjects("Trip")
    let error = #expect(throws: Realm.Error.self) {
      _ = try trips.filter(validating: "spot == %@", Spot(1))
    }
    expectEqual(
      error?.message,
      "A value that is kept as 'StoredSpot' can't be compared: the class has other properties "
        + "in this file than in the program. Compare the properties of the file one by one.")
  }
}

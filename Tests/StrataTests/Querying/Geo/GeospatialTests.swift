import Foundation
import Strata
import TestKit
import Testing

/// A place in GeoJSON's form, as RealmSwift's programs declare it.
private class Location: EmbeddedObject {
  @Persisted private(set) var coordinates: List<Double>
  @Persisted var type = "Point"

  convenience init(_ latitude: Double, _ longitude: Double) {
    self.init()
    coordinates.append(objectsIn: [longitude, latitude])
  }

  func move(_ latitude: Double, _ longitude: Double) {
    coordinates[0] = longitude
    coordinates[1] = latitude
  }
}

private class GeoPerson: Object {
  @Persisted var name: String
  @Persisted var location: Location?
  @Persisted var friend: GeoPerson?
  @Persisted var visited: List<Location>

  convenience init(_ name: String, _ location: Location?) {
    self.init()
    self.name = name
    self.location = location
  }
}

private class OnlyCoordinates: EmbeddedObject {
  @Persisted var coordinates: List<Double>
}

private class OnlyType: EmbeddedObject {
  @Persisted var type = "Point"
}

private class TopLevelPoint: Object {
  @Persisted var coordinates: List<Double>
  @Persisted var type = "Point"
}

private class WrongPoints: Object {
  @Persisted var onlyCoordinates: OnlyCoordinates?
  @Persisted var onlyType: OnlyType?
  @Persisted var topLevel: TopLevelPoint?
  @Persisted var name = ""
}

@Suite struct GeospatialTests {
  private let realm: Realm

  init() throws {
    realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: "\(UUID())",
        objectTypes: [
          GeoPerson.self, Location.self, WrongPoints.self, OnlyCoordinates.self, OnlyType.self,
          TopLevelPoint.self,
        ]))
    try realm.write { realm.add(Self.people()) }
  }

  private static func people() -> [GeoPerson] {
    let people = [
      GeoPerson("Diana", Location(40.7128, -74.0060)),
      GeoPerson("Maria", Location(55.6761, 12.5683)),
      GeoPerson("Tomas", Location(55.6280, 12.0826)), GeoPerson("Alba", Location(-76, -76)),
      GeoPerson("Manuela", nil),
    ]
    people[4].friend = people[1]
    people[0].visited.append(objectsIn: [Location(55.6280, 12.0826), Location(0, 0)])
    return people
  }

  private static func names(_ people: some Sequence<GeoPerson>) -> [String] {
    people.map(\.name).sorted()
  }

  /// The people in an area, in each way to ask for them.
  private func expect<Area: RLMGeospatial>(
    _ area: Area, _ names: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let people = realm.objects(GeoPerson.self)
    let memory = List<GeoPerson>()
    memory.append(objectsIn: Self.people())
    let found: [[String]] = [
      Self.names(people.where { $0.location.geoWithin(area) }),
      Self.names(people.filter("location IN %@", area)),
      Self.names(people.filter("location geoWithin %@", area)),
      Self.names(people.filter(NSPredicate(format: "location IN %@", area))),
      Self.names(memory.filter("location IN %@", area)),
      Self.names(memory.where { $0.location.geoWithin(area) }),
    ]
    for found in found { expectEqual(found, names.sorted(), sourceLocation: sourceLocation) }
    let others = Self.names(people.where { !$0.location.geoWithin(area) })
    expectEqual(others.count, 5 - names.count, sourceLocation: sourceLocation)
    expectTrue(Set(others).isDisjoint(with: names), sourceLocation: sourceLocation)
  }

  @Test func `Areas find what RealmSwift finds in them`() {
    expect(GeoBox(bottomLeft: (55.6281, 12.0826), topRight: (55.6762, 12.5684))!, ["Maria"])
    expect(
      GeoBox(bottomLeft: (55.6279, 12.0825), topRight: (55.6762, 12.5684))!, ["Maria", "Tomas"])
    expect(GeoBox(bottomLeft: (0, -75), topRight: (60, 15))!, ["Diana", "Maria", "Tomas"])

    expect(
      GeoPolygon(outerRing: [
        (55.6281, 12.0826), (55.6761, 12.0826), (55.6761, 12.5684), (55.6281, 12.5684),
        (55.6281, 12.0826),
      ])!, ["Maria"])
    expect(GeoPolygon(outerRing: [(55, 12), (55.67, 12.5), (55.67, 11.5), (55, 12)])!, ["Tomas"])
    let large = [
      (40.0096192, -75.5175781), (60, 20), (20, 20), (-75.5175781, -75.5175781),
      (40.0096192, -75.5175781),
    ]
    expect(GeoPolygon(outerRing: large)!, ["Diana", "Maria", "Tomas"])
    expect(
      GeoPolygon(
        outerRing: [(50, -80), (61, 21), (21, 21), (-80, -80), (50, -80)], holes: [large])!,
      ["Alba"])
    let outer = [(50.0, -80.0), (62, 22), (22, 22), (-80, -80), (50, -80)]
    let holes = [
      [(40.7129, -75.0), (40.7129, -74), (40.7126, -74), (40.7129, -75)],
      [(-77, -77), (-77, -75), (-75, -75), (-75, -77), (-77, -77)],
      [
        (55.6760, 12.5682), (55.6760, 12.5684), (55.6763, 12.5684), (55.6763, 12.5682),
        (55.6760, 12.5682),
      ],
      [
        (55.6279, 12.0825), (55.6279, 12.0827), (55.6281, 12.0827), (55.6281, 12.0825),
        (55.6279, 12.0825),
      ],
    ]
    expect(GeoPolygon(outerRing: outer, holes: [holes[0]])!, ["Maria", "Tomas", "Alba"])
    expect(GeoPolygon(outerRing: outer, holes: [holes[0], holes[1]])!, ["Maria", "Tomas"])
    expect(GeoPolygon(outerRing: outer, holes: Array(holes.prefix(3)))!, ["Tomas"])
    expect(GeoPolygon(outerRing: outer, holes: holes)!, [])

    expect(GeoCircle(center: (55.67, 12.56), radiusInRadians: 0.001)!, ["Maria"])
    expect(GeoCircle(center: (55.67, 12.56), radius: .kilometers(10)!)!, ["Maria"])
    expect(GeoCircle(center: (55.67, 12.56), radius: .kilometers(100)!)!, ["Maria", "Tomas"])
    expect(GeoCircle(center: (45, -20), radius: .kilometers(5_000)!)!, ["Diana", "Maria", "Tomas"])
  }

  private let near = GeoBox(bottomLeft: (55, 12), topRight: (56, 13))!

  @Test func `Links, lists, joins and counts lead to places`() {
    let people = realm.objects(GeoPerson.self)
    expectEqual(Self.names(people.where { $0.friend.location.geoWithin(near) }), ["Manuela"])
    expectEqual(Self.names(people.filter("friend.location IN %@", near)), ["Manuela"])
    expectEqual(Self.names(people.filter("ANY visited IN %@", near)), ["Diana"])
    expectEqual(Self.names(people.filter("NONE visited IN %@", near)).count, 4)
    expectEqual(Self.names(people.filter("ALL visited IN %@ AND visited.@count > 0", near)), [])
    expectEqual(
      Self.names(people.filter("SUBQUERY(visited, $v, $v GEOWITHIN %@).@count == 1", near)),
      ["Diana"])
    expectEqual(
      Self.names(
        people.where { $0.location.geoWithin(near) || $0.friend.location.geoWithin(near) }),
      ["Manuela", "Maria", "Tomas"])
    let diana = people.filter("name == 'Diana'").first!
    expectEqual(diana.visited.filter("SELF IN %@", near).count, 1)
    expectEqual(people.filter("location IN %@", near).sorted(by: \.name).last?.name, "Tomas")
  }

  @Test func `What is no point is in no area`() throws {
    let people = realm.objects(GeoPerson.self).where { $0.location.geoWithin(near) }
    expectEqual(people.count, 2)
    let maria = people.filter("name == 'Maria'").first!
    try realm.write { maria.location?.type = "POINT" }
    expectEqual(people.count, 2)
    for type in ["Polygon", "", "points"] {
      try realm.write { maria.location?.type = type }
      expectEqual(people.count, 1)
    }
    try realm.write {
      maria.location?.type = "Point"
      realm.objects(GeoPerson.self).filter("name == 'Tomas'").first?.location = Location(200, 12)
    }
    expectEqual(people.count, 1)
  }

  @Test func `An observer hears of a place that moves`() throws {
    let people = realm.objects(GeoPerson.self).where { $0.location.geoWithin(near) }
    var heard: [[Int]] = []
    let token = people.observe { change in
      if case .update(let people, let deletions, let insertions, let changes) = change {
        heard.append([people.count, deletions.count, insertions.count, changes.count])
      }
    }
    realm.refresh()
    let alba = realm.objects(GeoPerson.self).filter("name == 'Alba'").first!
    try realm.write { alba.location = Location(55.5, 12.5) }
    realm.refresh()
    expectEqual(heard.last, [3, 0, 1, 0])
    let maria = realm.objects(GeoPerson.self).filter("name == 'Maria'").first!
    try realm.write { maria.location?.type = "Area" }
    realm.refresh()
    expectEqual(heard.last, [2, 1, 0, 0])
    try realm.write { alba.location?.move(-55.5, 12.5) }
    realm.refresh()
    expectEqual(heard.last, [1, 1, 0, 0])
    token.invalidate()
  }

  @Test func `A mistake is reported with Realm's words, and finds nothing`() throws {
    let circle = GeoCircle(center: (0, 0), radiusInRadians: 10)!
    let wrong = realm.objects(WrongPoints.self)
    func message(_ format: String, _ area: Any) -> String? {
      #expect(throws: (any Error).self) { try wrong.filter(validating: format, area) }?
        .localizedDescription
    }
    let format = "links to data in the wrong format for a geoWithin query"
    expectEqual(
      message("onlyCoordinates IN %@", circle)?.hasPrefix(
        "Query 'onlyCoordinates GEOWITHIN GeoCircle([0, 0, 0], 10)' \(format)"), true)
    expectEqual(
      message("onlyType GEOWITHIN %@", circle)?.hasPrefix(
        "Query 'onlyType GEOWITHIN GeoCircle([0, 0, 0], 10)' \(format)"), true)
    expectEqual(
      message("topLevel IN %@", circle)?.hasPrefix(
        "A GEOWITHIN query can only operate on a link to an embedded class but 'TopLevelPoint' is "
          + "at the top level"), true)
    expectEqual(message("name IN %@", circle)?.contains(format), true)
    expectTrue(message("onlyType GEOWITHIN 3", circle) != nil)
    expectEqual(message("onlyType GEOWITHIN %@", 3)?.hasPrefix("Operator 'GEOWITHIN' needs"), true)
    let turned = GeoBox(bottomLeft: (2, 0), topRight: (1, 1))!
    expectIssue(
      "Invalid region in GEOWITHIN query for parameter 'GeoBox([0, 2, 0], [1, 1, 0])': 'Invalid "
        + "rectangle'"
    ) {
      let none = realm.objects(GeoPerson.self).where { $0.location.geoWithin(turned) }
      expectTrue(none.isEmpty)
    }
  }

  @Test func `Places, distances and areas are refused where they are none`() {
    for (latitude, longitude, altitude) in [
      (90.000000001, 0, 0), (-90.000000001, 0, 0), (0, 180.000000001, 0), (0, -180.000000001, 0),
      (0, 0, -1), (.nan, 0, 0), (0, .nan, 0), (0, 0, .nan),
    ] as [(Double, Double, Double)] {
      expectNil(GeoPoint(latitude: latitude, longitude: longitude, altitude: altitude))
    }
    expectTrue(GeoPoint(latitude: 90, longitude: -180, altitude: 500) != nil)
    expectTrue(GeoPoint(1, 1, 1) != GeoPoint(1, 1, 2) && GeoPoint(1, 1) == GeoPoint(1, 1))
    expectNil(GeoBox(bottomLeft: (-91, -181), topRight: (91, 181)))
    expectEqual(GeoBox(bottomLeft: GeoPoint(0, 0)!, topRight: GeoPoint(1, 1)!).topRight.latitude, 1)
    for wrong in [-1, Double.nan] {
      expectTrue(Distance.kilometers(wrong) == nil && Distance.miles(wrong) == nil)
      expectTrue(Distance.degrees(wrong) == nil && Distance.radians(wrong) == nil)
      expectNil(GeoCircle(center: (0, 70), radiusInRadians: wrong))
    }
    expectTrue(abs(Distance.kilometers(40_075)!.radians - 2 * .pi) < 0.001)
    expectTrue(abs(Distance.miles(24_901)!.asMiles() - 24_901) < 1e-6)
    expectTrue(abs(Distance.degrees(180)!.asKilometers() - 20_037) < 1)
    expectTrue(abs(Distance.radians(.pi)!.asDegrees() - 180) < 1e-9)
    let ring = [(0.0, 0.0), (1, 1), (2, 0), (0, 0)]
    expectEqual(GeoPolygon(outerRing: ring), GeoPolygon(outerRing: ring))
    expectEqual(GeoPolygon(outerRing: ring, holes: ring, ring)?.holes?.count, 2)
    expectEqual(GeoPolygon(outerRing: ring, holes: [ring])?.holes?.count, 1)
    let points = ring.map { GeoPoint($0.0, $0.1)! }
    expectTrue(GeoPolygon(outerRing: points, holes: [points]) != GeoPolygon(outerRing: points))
    for wrong in [Array(ring.prefix(3)), [(0, 0), (1, 1), (2, 2), (3, 3)], [(0, 0)], []] {
      expectNil(GeoPolygon(outerRing: wrong))
      expectNil(GeoPolygon(outerRing: ring, holes: [wrong]))
    }
    expectNil(GeoPolygon(outerRing: [(0, 0), (91, 1), (2, 0), (0, 0)]))
  }
}

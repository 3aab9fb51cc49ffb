import TestKit
import Testing

@testable import StrataQuery

/// The messages for invalid areas, which are Realm's.
@Suite struct GeoProblemTests {
  private static func polygon(_ rings: [(Double, Double)]...) -> GeoShape {
    .polygon(rings.map { $0.map { GeoPosition(longitude: $0.1, latitude: $0.0) } })
  }

  private static let square = [(0.0, 0.0), (0, 1), (1, 1), (1, 0), (0, 0)]
  private static let outside =
    "Secondary ring 1 not contained by first exterior ring - secondary rings must be holes in the "
    + "first ring"

  @Test func `Holes must be inside of the ring`() {
    for hole in [
      [(2, 2), (2, 3), (3, 3), (3, 2), (2, 2)],
      [(0, 0.1), (0.5, 0.1), (0.5, 0.5), (0, 0.5), (0, 0.1)],
      [(0.25, 0.5), (0.75, 0.5), (0.75, 1.5), (0.25, 1.5), (0.25, 0.5)],
    ] {
      expectEqual(Self.polygon(Self.square, hole).problem, Self.outside, "\(hole)")
    }
    let hole = [(0.25, 0.25), (0.25, 0.75), (0.75, 0.75), (0.75, 0.25), (0.25, 0.25)]
    expectNil(Self.polygon(Self.square, hole).problem)
    expectNil(Self.polygon(Self.square, hole.reversed()).problem)
    // One vertex may coincide with a vertex of the ring.
    let touching = [(0.0, 0.0), (0.2, 0.5), (0.5, 0.2), (0, 0)]
    expectNil(Self.polygon(Self.square, touching).problem)
  }

  @Test func `Edges must not cross`() {
    expectEqual(
      Self.polygon([(50, -50), (55, 55), (-50, 50), (70, -25), (50, -50)]).problem,
      "Ring 0 is not valid: 'Edges 0 and 2 cross. Edge locations in degrees: [50.0000000, "
        + "-50.0000000]-[55.0000000, 55.0000000] and [-50.0000000, 50.0000000]-[70.0000000, "
        + "-25.0000000]'")
  }

  @Test func `Rings must not have an edge twice, or two vertices of the outer one`() {
    let hole = [
      (40.0096192, -75.5175781), (60, 20), (20, 20), (-75.5175781, -75.5175781),
      (40.0096192, -75.5175781),
    ]
    expectEqual(
      Self.polygon([(50, -80), (60, 20), (20, 20), (-80, -80), (50, -80)], hole).problem,
      "Polygon isn't valid: 'Duplicate edge: ring 1, edge 1 and ring 0, edge 1'")
    let cut = [(0.0, 0.0), (0.4, 0.5), (1, 1), (0.6, 0.4), (0, 0)]
    expectEqual(
      Self.polygon(Self.square, cut).problem,
      "Polygon is not normalized: 'Ring 1 shares more than one vertex with its parent ring 0'")
  }

  @Test func `A hole must not be in another one, or cross it`() {
    let outer = [(50.0, -80.0), (62, 22), (22, 22), (-80, -80), (50, -80)]
    let first = [(45.0, -77.0), (61, 21), (21, 21), (-77, -77), (45, -77)]
    let second = [
      (40.0096192, -75.5175780), (60, 20), (20, 20), (-75.5175781, -75.5175781),
      (40.0096192, -75.5175780),
    ]
    expectEqual(
      Self.polygon(outer, first, second).problem, "Polygon interior rings cannot be nested: 2")
    let holes = [
      [(0.1, 0.1), (0.1, 0.6), (0.6, 0.6), (0.6, 0.1), (0.1, 0.1)],
      [(0.4, 0.4), (0.4, 0.9), (0.9, 0.9), (0.9, 0.4), (0.4, 0.4)],
    ]
    expectEqual(
      Self.polygon(Self.square, holes[0], holes[1]).problem,
      "Polygon isn't valid: 'Ring 2 crosses ring 1'")
  }

  @Test func `Rings need three vertices that differ, and an end at their beginning`() {
    expectEqual(
      Self.polygon([(0, 0), (1, 1), (1, 1), (0, 0)]).problem,
      "Ring 0 must have at least 3 different vertices, 2 unique vertices were provided")
    expectEqual(
      Self.polygon([(0, 0), (1, 1), (2, 0), (3, 3)]).problem,
      "Ring is not closed, first vertex '[0, 0, 0]' does not equal last vertex '[3, 3, 0]'")
    expectEqual(
      Self.polygon([(0, 0), (1, 1), (2, 0), (1, 1), (0, 2), (0, 0)]).problem,
      "Ring 0 is not valid: 'Duplicate vertices: 1 and 3'")
    expectEqual(Self.polygon([]).problem, "Ring has no vertices")
    expectEqual(GeoShape.polygon([]).problem, "Polygon has no rings.")
  }

  @Test func `A box needs its bottom below its top, and a circle a radius`() {
    let (low, high) = (
      GeoPosition(longitude: 1, latitude: 2), GeoPosition(longitude: 3, latitude: 4)
    )
    expectEqual(GeoShape.box(bottomLeft: high, topRight: low).problem, "Invalid rectangle")
    expectNil(GeoShape.box(bottomLeft: low, topRight: high).problem)
    for radius in [-1, Double.nan] {
      expectEqual(
        GeoShape.circle(center: low, radius: radius).problem,
        "The radius of a circle must be a non-negative number")
    }
  }

  @Test func `Shapes print as Realm prints them`() {
    let center = GeoPosition(longitude: 0, latitude: 0)
    expectEqual("\(GeoShape.circle(center: center, radius: 10))", "GeoCircle([0, 0, 0], 10)")
    let box = GeoShape.box(
      bottomLeft: GeoPosition(longitude: -75.5175781, latitude: 40.0096192),
      topRight: GeoPosition(longitude: 12.5684, latitude: 55.6762))
    expectEqual("\(box)", "GeoBox([-75.5176, 40.0096, 0], [12.5684, 55.6762, 0])")
    expectEqual(
      "\(Self.polygon(Self.square, [(0.5, 0.25)]))",
      "GeoPolygon({[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]}, {[0.25, 0.5, 0]})")
  }
}

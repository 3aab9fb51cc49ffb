import Foundation
import TestKit
import Testing

@testable import StrataQuery

/// Positions in areas, compared with slower and simpler rules.
@Suite struct GeoRegionTests {
  private static func position(_ latitude: Double, _ longitude: Double) -> GeoPosition {
    GeoPosition(longitude: longitude, latitude: latitude)
  }

  private static func randomPosition(_ random: inout SplitMix64) -> GeoPosition {
    // Uniform on the surface.
    position(
      asin(Double.random(in: -1...1, using: &random)) * 180 / .pi,
      Double.random(in: -180...180, using: &random))
  }

  /// The place at a distance and a bearing from another one.
  private static func place(
    from start: GeoPosition, _ distance: Double, _ bearing: Double
  ) -> GeoPosition {
    let center = GeoVector(start)
    // Two directions that are perpendicular to it, and to each other; at the poles as well.
    let axis = abs(center.z) > 0.9 ? GeoVector(x: 1, y: 0, z: 0) : GeoVector(x: 0, y: 0, z: 1)
    let first = center.cross(axis).normalized
    let second = center.cross(first)
    let (along, aside) = (cos(bearing) * sin(distance), sin(bearing) * sin(distance))
    let end = GeoVector(
      x: center.x * cos(distance) + first.x * along + second.x * aside,
      y: center.y * cos(distance) + first.y * along + second.y * aside,
      z: center.z * cos(distance) + first.z * along + second.z * aside)
    return position(end.latitude, atan2(end.y, end.x) * 180 / .pi)
  }

  private static func expectBounds(
    _ shape: GeoShape, _ place: GeoPosition, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let bounds = GeoBounds(shape)
    expectTrue(
      bounds.latitudes ~= place.latitude, "\(shape) \(place)", sourceLocation: sourceLocation)
    if let longitudes = bounds.longitudes {
      expectTrue(longitudes ~= place.longitude, "\(shape) \(place)", sourceLocation: sourceLocation)
    }
  }

  @Test func `1,000 places are in 200 circles, or not, by their distance`() {
    var random = SplitMix64(seed: 1)
    let places = (0..<1_000).map { _ in Self.randomPosition(&random) }
    var found = 0
    for _ in 0..<200 {
      let center = Self.randomPosition(&random)
      let radius = pow(Double.random(in: 0...1, using: &random), 3) * 3.3
      let shape = GeoShape.circle(center: center, radius: radius)
      let region = GeoRegion(shape)
      for place in places + [center] {
        let isIn = region.contains(longitude: place.longitude, latitude: place.latitude)
        let angle = acos(
          max(-1, min(1, GeoVector(place).dot(GeoVector(center)))))
        guard abs(angle - radius) > 1e-7 else { continue }
        expectEqual(isIn, (angle <= radius), "\(shape) \(place)")
        if isIn {
          found += 1
          Self.expectBounds(shape, place)
        }
      }
    }
    expectTrue(found > 10_000)
  }

  /// A polygon around a place: from there each of its edges can be seen.
  private struct Star {
    let center: GeoPosition
    let ring: [GeoPosition]

    init(_ random: inout SplitMix64, around center: GeoPosition, _ reach: ClosedRange<Double>) {
      self.center = center
      let count = Int.random(in: 5...12, using: &random)
      let turn = Double.random(in: 0...1, using: &random)
      let vertices = (0..<count).map { index in
        GeoRegionTests.place(
          from: center, Double.random(in: reach, using: &random),
          2 * .pi * (Double(index) + turn) / Double(count))
      }
      // One way round as well as the other.
      let ordered = Bool.random(using: &random) ? vertices : vertices.reversed()
      ring = ordered + [ordered[0]]
    }

    /// Whether a place is on the side of the centre, of the one edge before it; nil near an edge.
    func contains(_ place: GeoPosition) -> Bool? {
      let (center, place) = (GeoVector(center), GeoVector(place))
      guard center.dot(place) > -0.9 else { return false }
      for (first, second) in zip(ring, ring.dropFirst()) {
        var (a, b) = (GeoVector(first), GeoVector(second))
        if a.cross(b).dot(center) < 0 { swap(&a, &b) }
        guard center.cross(a).dot(place) >= 0, center.cross(b).dot(place) < 0,
          center.dot(place) > 0 || a.cross(b).dot(place) < 0
        else { continue }
        let side = a.cross(b).normalized.dot(place)
        return abs(side) < 1e-9 ? nil : side > 0
      }
      return nil
    }
  }

  @Test(arguments: 1...8)
  func `Random places are in random polygons with holes, or not, all round the Earth`(seed: UInt64)
  {
    var random = SplitMix64(seed: seed)
    var (inside, outside) = (0, 0)
    let centers =
      [Self.position(90, 0), Self.position(-90, 0), Self.position(0, 180), Self.position(60, -179)]
      + (0..<26).map { _ in Self.randomPosition(&random) }
    for center in centers {
      let outer = Star(&random, around: center, 0.2...0.9)
      let hole = Star(&random, around: center, 0.02...0.1)
      let shape = GeoShape.polygon([outer.ring, hole.ring])
      expectNil(shape.problem, "\(shape)")
      let region = GeoRegion(shape)
      for index in 0..<400 {
        let place =
          index % 4 == 0
          ? Self.randomPosition(&random)
          : Self.place(
            from: center, Double.random(in: 0...1.0, using: &random),
            Double.random(in: 0...(2 * .pi), using: &random))
        guard let isInRing = outer.contains(place), let isInHole = hole.contains(place) else {
          continue
        }
        let isIn = region.contains(longitude: place.longitude, latitude: place.latitude)
        expectEqual(isIn, (isInRing && !isInHole), "\(shape) \(place)")
        if isIn {
          inside += 1
          Self.expectBounds(shape, place)
        } else {
          outside += 1
        }
      }
    }
    expectTrue(inside > 1_000 && outside > 1_000, "\(inside) \(outside)")
  }

  @Test func `A box is between latitudes and longitudes, also across the meridian of 180 degrees`()
  {
    func box(_ bottom: Double, _ left: Double, _ top: Double, _ right: Double) -> GeoRegion {
      GeoRegion(
        .box(bottomLeft: Self.position(bottom, left), topRight: Self.position(top, right)))
    }
    let usual = box(-10, 20, 10, 40)
    expectTrue(usual.contains(longitude: 20, latitude: -10))
    expectTrue(usual.contains(longitude: 40, latitude: 10))
    expectFalse(usual.contains(longitude: 40.000001, latitude: 0))
    expectFalse(usual.contains(longitude: 30, latitude: 10.000001))
    let across = box(-10, 170, 10, -170)
    for longitude in [170, 175, 180, -180, -175, -170.0] {
      expectTrue(across.contains(longitude: longitude, latitude: 0), "\(longitude)")
    }
    expectFalse(across.contains(longitude: 0, latitude: 0))
    expectTrue(box(0, -180, 1, -170).contains(longitude: 180, latitude: 0.5))
    expectTrue(box(0, 170, 1, 180).contains(longitude: -180, latitude: 0.5))
    expectTrue(box(-90, -180, 90, 180).contains(longitude: 12, latitude: 90))
  }

  @Test(arguments: [(Double.nan, 0), (0, .nan), (.infinity, 0), (0, 90.1), (180.1, 0)])
  func `Numbers that are no place are in no area`(_ longitude: Double, _ latitude: Double) {
    let whole: [GeoShape] = [
      .box(bottomLeft: Self.position(-90, -180), topRight: Self.position(90, 180)),
      .circle(center: Self.position(0, 0), radius: 4),
      .polygon([
        [
          Self.position(80, 0), Self.position(80, 120), Self.position(80, -120),
          Self.position(80, 0),
        ]
      ]),
    ]
    for shape in whole {
      expectFalse(GeoRegion(shape).contains(longitude: longitude, latitude: latitude))
    }
  }

  @Test func `A shape is the same when it is read from its text`() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<100 {
      let first = Self.randomPosition(&random)
      let star = Star(&random, around: first, 0.1...0.5).ring
      for shape in [
        .box(bottomLeft: first, topRight: star[0]), .circle(center: first, radius: 0.1 + 0.2),
        .polygon([star]), .polygon([star, star]),
      ] as [GeoShape] {
        expectEqual(GeoShape(text: shape.text), shape)
      }
    }
    for text in ["", "x 1 2", "b 1 2 3", "c 1", "p"] { expectNil(GeoShape(text: text)) }
  }
}

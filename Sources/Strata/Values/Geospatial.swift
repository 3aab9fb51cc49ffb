import StrataQuery

/// A point on the Earth's surface, for the areas of conditions.
///
/// Points are stored as embedded objects in GeoJSON's form. Any class with these two properties has
/// this form:
///
/// ```swift
/// class Location: EmbeddedObject {
///   @Persisted var type = "Point"
///   /// The longitude first, then the latitude, in degrees.
///   @Persisted var coordinates: List<Double>
/// }
/// ```
/// ``Query/geoWithin(_:)`` finds such objects in an area. A `GeoPoint` itself can't be stored.
public struct GeoPoint: Sendable, Hashable {
  /// The latitude in degrees, from -90 to 90.
  public let latitude: Double
  /// The longitude in degrees, from -180 to 180.
  public let longitude: Double
  /// The altitude, not less than 0. Conditions ignore it.
  public let altitude: Double

  /// Makes a point; nil for a number out of its range, or NaN.
  ///
  /// - Parameters:
  ///   - latitude: The latitude in degrees, from -90 to 90.
  ///   - longitude: The longitude in degrees, from -180 to 180.
  ///   - altitude: The altitude, not less than 0. Conditions ignore it.
  public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
    guard abs(latitude) <= 90, abs(longitude) <= 180, altitude >= 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// Makes a point: see ``init(latitude:longitude:altitude:)``.
  public init?(_ latitude: Double, _ longitude: Double, _ altitude: Double = 0) {
    self.init(latitude: latitude, longitude: longitude, altitude: altitude)
  }

  init?(_ pair: (latitude: Double, longitude: Double)) {
    self.init(pair.latitude, pair.longitude)
  }

  var position: GeoPosition { GeoPosition(longitude: longitude, latitude: latitude) }
}

/// Realm's name of ``GeoPoint``.
public typealias RLMGeospatialPoint = GeoPoint

/// A distance on the Earth's surface, for the radius of a ``GeoCircle``.
///
/// ```swift
/// let circle = GeoCircle(center: (55.67, 12.56), radius: .kilometers(10)!)
/// ```
/// The Earth is treated as a sphere with a radius of 6,378.1 km.
public struct Distance: Sendable, Hashable {
  /// The angle at the center of the Earth.
  public let radians: Double

  private static let earthRadius = 6_378_100.0
  private static let metersOfMile = 1_609.344

  private init?(_ radians: Double) {
    guard radians >= 0 else { return nil }
    self.radians = radians
  }

  /// A distance in kilometers; nil if it is negative or NaN.
  public static func kilometers(_ kilometers: Double) -> Distance? {
    Distance(kilometers * 1_000 / earthRadius)
  }

  /// A distance in miles of 1,609.344 m; nil if it is negative or NaN.
  public static func miles(_ miles: Double) -> Distance? {
    Distance(miles * metersOfMile / earthRadius)
  }

  /// A distance as an angle at the center of the Earth, in degrees; nil if it is negative or NaN.
  public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees * .pi / 180) }

  /// A distance as an angle at the center of the Earth, in radians; nil if it is negative or NaN.
  public static func radians(_ radians: Double) -> Distance? { Distance(radians) }

  /// The distance in kilometers.
  public func asKilometers() -> Double { radians * Self.earthRadius / 1_000 }

  /// The distance in miles of 1,609.344 m.
  public func asMiles() -> Double { radians * Self.earthRadius / Self.metersOfMile }

  /// The distance as an angle at the center of the Earth, in degrees.
  public func asDegrees() -> Double { radians * 180 / .pi }
}

/// Realm's name of ``Distance``.
public typealias RLMDistance = Distance

/// The area between two latitudes and two longitudes, edges included.
///
/// ```swift
/// let box = GeoBox(bottomLeft: (55.62, 12.08), topRight: (55.68, 12.57))!
/// ```
/// If the left longitude is greater than the right one, the box crosses the 180th meridian. If the
/// bottom is above the top, the condition with the box fails.
public struct GeoBox: GeoArea {
  /// The corner in the south-west.
  public let bottomLeft: GeoPoint
  /// The corner in the north-east.
  public let topRight: GeoPoint

  /// Makes a box from two corners.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// Makes a box from two corners, each a latitude and a longitude; nil for an invalid corner.
  public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else {
      return nil
    }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }

  var shape: GeoShape { .box(bottomLeft: bottomLeft.position, topRight: topRight.position) }
}

/// The area within a distance from a point, along the Earth's surface.
///
/// ```swift
/// let circle = GeoCircle(center: (55.67, 12.56), radius: .kilometers(10)!)!
/// ```
public struct GeoCircle: GeoArea {
  /// The point in the middle.
  public let center: GeoPoint
  /// The radius, as an angle at the center of the Earth.
  public let radians: Double

  /// Makes a circle.
  public init(center: GeoPoint, radius: Distance) {
    self.center = center
    radians = radius.radians
  }

  /// Makes a circle whose radius is an angle at the center of the Earth; nil for a radius that is
  /// negative or NaN.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard let radius = Distance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// Makes a circle around a latitude and a longitude, whose radius is an angle at the center of
  /// the Earth; nil for an invalid point, and for a radius that is negative or NaN.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radiusInRadians: radiusInRadians)
  }

  /// Makes a circle around a latitude and a longitude; nil for an invalid point.
  public init?(center: (Double, Double), radius: Distance) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radius: radius)
  }

  var shape: GeoShape { .circle(center: center.position, radius: radians) }
}

/// The area inside of a ring, without the holes in it.
///
/// ```swift
/// let triangle = GeoPolygon(outerRing: [(55, 12), (55.67, 12.5), (55.67, 11.5), (55, 12)])!
/// ```
/// Each ring ends at its first point. Its edges are the shortest lines on the Earth's surface,
/// unlike on a flat map. The inside is the smaller part of the surface, in whichever direction the
/// ring runs. A point exactly on an edge may be inside or outside.
///
/// A condition fails if edges of its polygon cross, if a hole is not inside of the ring, or if a
/// hole is inside of another one.
public struct GeoPolygon: GeoArea {
  /// The ring around the area.
  public let outerRing: [GeoPoint]
  /// The rings around the holes, which aren't part of the area.
  public let holes: [[GeoPoint]]?

  /// Makes a polygon; nil for a ring of less than four points, or one that doesn't end at its first
  /// point.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]? = nil) {
    for ring in [outerRing] + (holes ?? []) {
      guard ring.count > 3, ring.first?.position == ring.last?.position else { return nil }
    }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// Makes a polygon from latitudes and longitudes: see ``init(outerRing:holes:)``. Nil also for an
  /// invalid point.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]]? = nil) {
    let rings = ([outerRing] + (holes ?? [])).map { $0.compactMap { GeoPoint($0) } }
    let count = outerRing.count + (holes ?? []).reduce(0) { $0 + $1.count }
    guard rings.reduce(0, { $0 + $1.count }) == count else { return nil }
    self.init(outerRing: rings[0], holes: holes.map { _ in Array(rings.dropFirst()) })
  }

  /// Makes a polygon from latitudes and longitudes: see ``init(outerRing:holes:)``. Nil also for an
  /// invalid point.
  public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes as [[(Double, Double)]]?)
  }

  var shape: GeoShape {
    .polygon(([outerRing] + (holes ?? [])).map { $0.map(\.position) })
  }
}

/// An area that conditions can convert to a shape.
protocol GeoArea: RLMGeospatial {
  var shape: GeoShape { get }
}

/// Realm's name of ``GeoBox``.
public typealias RLMGeospatialBox = GeoBox
/// Realm's name of ``GeoCircle``.
public typealias RLMGeospatialCircle = GeoCircle
/// Realm's name of ``GeoPolygon``.
public typealias RLMGeospatialPolygon = GeoPolygon

/// An area for conditions: a ``GeoBox``, a ``GeoCircle`` or a ``GeoPolygon``.
public protocol RLMGeospatial: Sendable, Hashable {}

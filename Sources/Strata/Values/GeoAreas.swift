import StrataQuery

/// An area that a condition can ask about: a ``GeoBox``, a ``GeoCircle`` or a ``GeoPolygon``.
public protocol RLMGeospatial: Sendable, Hashable {}

/// An area as conditions keep it.
protocol GeoArea: RLMGeospatial {
  var shape: GeoShape { get }
}

/// All between two latitudes and two longitudes. The edges belong to it.
///
/// ```swift
/// let box = GeoBox(bottomLeft: (55.62, 12.08), topRight: (55.68, 12.57))!
/// ```
/// Where the left longitude is greater than the right one, the box crosses the meridian of 180 degrees.
/// A bottom above the top is a mistake of the condition that asks for the box.
public struct GeoBox: GeoArea {
  /// The corner in the south-west.
  public let bottomLeft: GeoPoint
  /// The corner in the north-east.
  public let topRight: GeoPoint

  /// Makes a box of two corners.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// Makes a box of two corners, each with its latitude and its longitude; nil where one is no place.
  public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else {
      return nil
    }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }

  var shape: GeoShape { .box(bottomLeft: bottomLeft.position, topRight: topRight.position) }
}

/// All that is no farther from a place than a distance, along the Earth's surface.
///
/// ```swift
/// let circle = GeoCircle(center: (55.67, 12.56), radius: .kilometers(10)!)!
/// ```
public struct GeoCircle: GeoArea {
  /// The place in the middle.
  public let center: GeoPoint
  /// The distance, as an angle at the centre of the Earth.
  public let radians: Double

  /// Makes a circle.
  public init(center: GeoPoint, radius: Distance) {
    self.center = center
    radians = radius.radians
  }

  /// Makes a circle, whose radius is an angle at the centre of the Earth; nil for a radius that is less
  /// than 0, or no number.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard let radius = Distance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// Makes a circle around a latitude and a longitude, whose radius is an angle at the centre of the
  /// Earth; nil for what is no place, and for a radius that is less than 0, or no number.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radiusInRadians: radiusInRadians)
  }

  /// Makes a circle around a latitude and a longitude; nil for what is no place.
  public init?(center: (Double, Double), radius: Distance) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radius: radius)
  }

  var shape: GeoShape { .circle(center: center.position, radius: radians) }
}

/// All inside of a ring, and outside of the holes in it.
///
/// ```swift
/// let triangle = GeoPolygon(outerRing: [(55, 12), (55.67, 12.5), (55.67, 11.5), (55, 12)])!
/// ```
/// Each ring ends where it begins. Its edges are the shortest lines on the Earth's surface, which are not
/// those of a flat map. What is inside is the smaller part of the surface, whichever way the ring
/// goes round. A place that is exactly on an edge may be inside or not.
///
/// Edges that cross, and holes that are not inside of the ring, or that are in each other, are mistakes
/// of the condition that asks for the polygon.
public struct GeoPolygon: GeoArea {
  /// The ring around the area.
  public let outerRing: [GeoPoint]
  /// The rings around what isn't part of it.
  public let holes: [[GeoPoint]]?

  /// Makes a polygon; nil for a ring of less than four places, and for one that doesn't end where it
  /// begins.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]? = nil) {
    for ring in [outerRing] + (holes ?? []) {
      guard ring.count > 3, ring.first?.position == ring.last?.position else { return nil }
    }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// Makes a polygon of latitudes and longitudes: see ``init(outerRing:holes:)``. Nil as well where one
  /// is no place.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]]? = nil) {
    let rings = ([outerRing] + (holes ?? [])).map { $0.compactMap { GeoPoint($0) } }
    let count = outerRing.count + (holes ?? []).reduce(0) { $0 + $1.count }
    guard rings.reduce(0, { $0 + $1.count }) == count else { return nil }
    self.init(outerRing: rings[0], holes: holes.map { _ in Array(rings.dropFirst()) })
  }

  /// Makes a polygon of latitudes and longitudes: see ``init(outerRing:holes:)``. Nil as well where one
  /// is no place.
  public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes as [[(Double, Double)]]?)
  }

  var shape: GeoShape {
    .polygon(([outerRing] + (holes ?? [])).map { $0.map(\.position) })
  }
}

/// Realm's name of ``GeoBox``.
public typealias RLMGeospatialBox = GeoBox
/// Realm's name of ``GeoCircle``.
public typealias RLMGeospatialCircle = GeoCircle
/// Realm's name of ``GeoPolygon``.
public typealias RLMGeospatialPolygon = GeoPolygon

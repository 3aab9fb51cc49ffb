import StrataQuery

/// All inside of a ring, and outside of the holes in it.
///
/// ```swift
/// let triangle = GeoPolygon(outerRing: [(55, 12), (55.67, 12.5), (55.67, 11.5), (55, 12)])!
/// ```
/// Each ring ends where it begins. Its edges are the shortest lines on the Earth's surface, which
/// are not those of a flat map. What is inside is the smaller part of the surface, whichever way
/// the ring goes round. A place that is exactly on an edge may be inside or not.
///
/// Edges that cross, and holes that are not inside of the ring, or that are in each other, are
/// mistakes of the condition that asks for the polygon.
public struct GeoPolygon: GeoArea {
  /// The ring around the area.
  public let outerRing: [GeoPoint]
  /// The rings around what isn't part of it.
  public let holes: [[GeoPoint]]?

  /// Makes a polygon; nil for a ring of less than four places, and for one that doesn't end where
  /// it begins.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]? = nil) {
    for ring in [outerRing] + (holes ?? []) {
      guard ring.count > 3, ring.first?.position == ring.last?.position else { return nil }
    }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// Makes a polygon of latitudes and longitudes: see ``init(outerRing:holes:)``. Nil as well where
  /// one is no place.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]]? = nil) {
    let rings = ([outerRing] + (holes ?? [])).map { $0.compactMap { GeoPoint($0) } }
    let count = outerRing.count + (holes ?? []).reduce(0) { $0 + $1.count }
    guard rings.reduce(0, { $0 + $1.count }) == count else { return nil }
    self.init(outerRing: rings[0], holes: holes.map { _ in Array(rings.dropFirst()) })
  }

  /// Makes a polygon of latitudes and longitudes: see ``init(outerRing:holes:)``. Nil as well where
  /// one is no place.
  public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes as [[(Double, Double)]]?)
  }

  var shape: GeoShape {
    .polygon(([outerRing] + (holes ?? [])).map { $0.map(\.position) })
  }
}

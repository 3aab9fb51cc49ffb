/// Latitudes and longitudes between which all of an area is, in degrees: what an index, or two
/// comparisons, can look at before the area itself.
package struct GeoBounds: Sendable, Hashable {
  package var latitudes: ClosedRange<Double>
  /// Nil where the area is around a pole, or crosses the meridian of 180 degrees.
  package var longitudes: ClosedRange<Double>?

  /// More than the error of the numbers that it is computed of.
  private static let margin = 1e-9

  package init(_ shape: GeoShape) {
    switch shape {
    case .box(let bottomLeft, let topRight): self.init(bottomLeft, topRight)
    case .circle(let center, let radius): self.init(center, radius)
    case .polygon(let rings): self.init(GeoRing(rings.first ?? []))
    }
  }

  private init(_ bottomLeft: GeoPosition, _ topRight: GeoPosition) {
    let ends = [bottomLeft.latitude, topRight.latitude]
    latitudes = min(ends[0], ends[1])...max(ends[0], ends[1])
    // The meridian of 180 degrees has two names.
    if -180 < bottomLeft.longitude, bottomLeft.longitude <= topRight.longitude,
      topRight.longitude < 180
    {
      longitudes = bottomLeft.longitude...topRight.longitude
    }
  }

  private init(_ center: GeoPosition, _ radius: Double) {
    let reach = min(radius, .pi).degrees + Self.margin
    latitudes = max(center.latitude - reach, -90)...min(center.latitude + reach, 90)
    guard latitudes.lowerBound > -90, latitudes.upperBound < 90 else { return }
    let ratio = sine(min(radius, .pi)) / cosine(center.latitude.radians)
    guard radius < .pi / 2, ratio < 1 else { return }
    setLongitudes(center.longitude, arcsine(ratio).degrees)
  }

  private mutating func setLongitudes(_ middle: Double, _ reach: Double) {
    let first = middle - reach - Self.margin
    let last = middle + reach + Self.margin
    if first > -180, last < 180 { longitudes = first...last }
  }

  private init(_ ring: GeoRing) {
    var (least, most) = (90.0, -90.0)
    for arc in ring.arcs {
      let range = arc.latitudes
      least = min(least, range.lowerBound)
      most = max(most, range.upperBound)
    }
    let north = ring.contains(GeoVector(x: 0, y: 0, z: 1))
    let south = ring.contains(GeoVector(x: 0, y: 0, z: -1))
    least = south ? -90 : max(least - Self.margin, -90)
    most = north ? 90 : min(most + Self.margin, 90)
    latitudes = min(least, most)...max(least, most)
    guard !north, !south else { return }
    let all = ring.vertices.map { arctangent($0.y, $0.x).degrees }
    guard let first = all.min(), let last = all.max() else { return }
    // Along an arc that doesn't cross that meridian the longitude goes one way only.
    let isInOnePiece = all.indices.allSatisfy { abs(all[$0] - all[($0 + 1) % all.count]) < 180 }
    if isInOnePiece, first > -180 + Self.margin, last < 180 - Self.margin {
      longitudes = first - Self.margin...last + Self.margin
    }
  }
}

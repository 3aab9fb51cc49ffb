/// A point on the Earth's surface as a direction from its center, of length 1.
struct GeoVector: Hashable {
  var x: Double
  var y: Double
  var z: Double

  /// The latitude in degrees.
  var latitude: Double { arctangent(z, (x * x + y * y).squareRoot()).degrees }

  static func + (first: Self, second: Self) -> Self {
    Self(x: first.x + second.x, y: first.y + second.y, z: first.z + second.z)
  }

  func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: Self) -> Self {
    Self(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  var length: Double { dot(self).squareRoot() }

  var normalized: Self {
    let length = length
    return length == 0 ? self : Self(x: x / length, y: y / length, z: z / length)
  }
}

extension GeoVector {
  init(_ position: GeoPosition) {
    let latitude = position.latitude.radians
    let longitude = position.longitude.radians
    self.init(
      x: cosine(latitude) * cosine(longitude), y: cosine(latitude) * sine(longitude),
      z: sine(latitude))
  }
}

/// The shorter arc of a great circle between two points.
struct GeoArc {
  let start: GeoVector
  let end: GeoVector
  /// A vector perpendicular to both, pointing to the left side of the arc.
  let normal: GeoVector

  init(_ start: GeoVector, _ end: GeoVector) {
    self.start = start
    self.end = end
    normal = start.cross(end)
  }

  /// Returns a positive number for points left of the great circle, a negative one for points right
  /// of it.
  func side(of point: GeoVector) -> Double { normal.dot(point) }

  /// Whether the inner parts of both arcs have a point in common.
  ///
  /// A point on the great circle of the other arc counts as left of it. So an arc through the
  /// common end of two others crosses one of them, both, or neither, consistently.
  func crosses(_ other: GeoArc) -> Bool {
    let first = side(of: other.start) >= 0
    let second = side(of: other.end) >= 0
    guard first != second else { return false }
    let third = other.side(of: start) >= 0
    return third != (other.side(of: end) >= 0) && first != third
  }

  /// Whether a point is on the arc, within the precision of the numbers.
  func touches(_ point: GeoVector) -> Bool {
    let normal = normal.normalized
    return abs(normal.dot(point)) < 1e-14 && holds(point, normal)
  }

  /// The least and the greatest latitude on the arc, in degrees. An arc bulges towards the poles.
  var latitudes: ClosedRange<Double> {
    let ends = [start.latitude, end.latitude]
    var least = min(ends[0], ends[1])
    var most = max(ends[0], ends[1])
    // The point of the great circle that is nearest to the north pole.
    let normal = normal.normalized
    let top = normal.cross(GeoVector(x: 0, y: 0, z: 1)).cross(normal).normalized
    if holds(top, normal) { most = max(most, top.latitude) }
    let bottom = GeoVector(x: -top.x, y: -top.y, z: -top.z)
    if holds(bottom, normal) { least = min(least, bottom.latitude) }
    return least...most
  }

  /// Whether a point of the great circle is between the ends.
  private func holds(_ point: GeoVector, _ normal: GeoVector) -> Bool {
    normal.cross(start).dot(point) >= 0 && end.cross(normal).dot(point) >= 0
  }
}

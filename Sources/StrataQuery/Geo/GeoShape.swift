/// A point on the Earth's surface, in degrees.
package struct GeoPosition: Sendable, Hashable {
  package let longitude: Double
  package let latitude: Double

  package init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
  }
}

/// An area on the Earth's surface for a condition.
///
/// ``text`` is the form in which it is passed to the SQL function.
package enum GeoShape: Sendable, Hashable {
  case box(bottomLeft: GeoPosition, topRight: GeoPosition)
  /// The radius is an angle at the center of the Earth, in radians.
  case circle(center: GeoPosition, radius: Double)
  /// The outer ring first, then the holes. The last position of each ring is its first.
  case polygon([[GeoPosition]])

  /// The name of the type, for messages.
  package var typeName: String {
    switch self {
    case .box: "GeoBox"
    case .circle: "GeoCircle"
    case .polygon: "GeoPolygon"
    }
  }
}

extension GeoShape {
  /// The shape as a text that ``init(text:)`` reads: a letter and exact numbers.
  package var text: String {
    switch self {
    case .box(let bottomLeft, let topRight): "b \(Self.text([bottomLeft, topRight]))"
    case .circle(let center, let radius): "c \(Self.text([center])) \(radius)"
    case .polygon(let rings): "p " + rings.map(Self.text).joined(separator: " / ")
    }
  }

  private static func text(_ ring: [GeoPosition]) -> String {
    ring.map { "\($0.longitude) \($0.latitude)" }.joined(separator: " ")
  }

  package init?(text: String) {
    let rings = text.dropFirst(2).split(separator: "/").map { ring in
      ring.split(separator: " ").compactMap { Double($0) }
    }
    guard let numbers = rings.first else { return nil }
    let positions = rings.map(Self.positions)
    switch (text.first, numbers.count) {
    case ("b", 4): self = .box(bottomLeft: positions[0][0], topRight: positions[0][1])
    case ("c", 3): self = .circle(center: positions[0][0], radius: numbers[2])
    case ("p", _): self = .polygon(positions)
    default: return nil
    }
  }

  private static func positions(_ numbers: [Double]) -> [GeoPosition] {
    stride(from: 0, to: numbers.count - 1, by: 2).map {
      GeoPosition(longitude: numbers[$0], latitude: numbers[$0 + 1])
    }
  }
}

/// A closed line of arcs of great circles. Its inside is the smaller part of the Earth's surface.
struct GeoRing {
  /// The vertices without the closing one, and without successive duplicates.
  let vertices: [GeoVector]
  /// The arcs in the order in which the inside is to their left.
  let arcs: [GeoArc]

  init(_ positions: [GeoPosition]) {
    vertices = Self.vertices(positions)
    let isTurned = Self.turning(vertices) < 0
    let ordered = isTurned ? Array(vertices.reversed()) : vertices
    arcs = ordered.indices.map { GeoArc(ordered[$0], ordered[($0 + 1) % ordered.count]) }
  }

  static func vertices(_ positions: [GeoPosition]) -> [GeoVector] {
    var vertices: [GeoVector] = []
    for position in positions {
      let vertex = GeoVector(position)
      if vertices.last != vertex { vertices.append(vertex) }
    }
    if vertices.count > 1, vertices.first == vertices.last { vertices.removeLast() }
    return vertices
  }

  /// Returns the sum of the angles by which the line turns left. The area on its left is 2π minus
  /// this sum: more than a hemisphere if the sum is negative.
  private static func turning(_ vertices: [GeoVector]) -> Double {
    var sum = 0.0
    let count = vertices.count
    for index in vertices.indices {
      let (a, b, c) = (
        vertices[index], vertices[(index + 1) % count], vertices[(index + 2) % count]
      )
      let (before, after) = (a.cross(b), b.cross(c))
      let angle = arctangent(before.cross(after).length, before.dot(after))
      sum += before.dot(c) < 0 ? -angle : angle
    }
    return sum
  }

  /// Whether a point is inside. For a point on the line, the result may be either, but is always
  /// the same.
  func contains(_ point: GeoVector) -> Bool {
    guard let target = arcs.indices.max(by: { clearness($0, point) < clearness($1, point) }) else {
      return false
    }
    // On the way from the point to the middle of an arc, each other arc leads in or out. The way
    // reaches the arc on the side of the point.
    let way = GeoArc(point, (arcs[target].start + arcs[target].end).normalized)
    var isInside = arcs[target].side(of: point) > 0
    for index in arcs.indices where index != target && arcs[index].crosses(way) {
      isInside.toggle()
    }
    return isInside
  }

  /// Returns the distance of a point from the great circle of an arc, reduced for nearly opposite
  /// points.
  private func clearness(_ index: Int, _ point: GeoVector) -> Double {
    let arc = arcs[index]
    let middle = (arc.start + arc.end).normalized
    return abs(arc.normal.normalized.dot(point)) * (1.000001 + middle.dot(point))
  }

  /// Whether a point is on the line.
  func touches(_ point: GeoVector) -> Bool { arcs.contains { $0.touches(point) } }
}

/// A shape that is prepared for checking many positions.
package struct GeoRegion: Sendable {
  private enum Form {
    case box(bottomLeft: GeoPosition, topRight: GeoPosition)
    /// - Parameter most: The greatest half chord, squared.
    case circle(GeoVector, most: Double)
    case polygon([GeoRing])
  }

  private let form: Form

  package init(_ shape: GeoShape) {
    form =
      switch shape {
      case .box(let bottomLeft, let topRight): .box(bottomLeft: bottomLeft, topRight: topRight)
      case .circle(let center, let radius):
        .circle(
          GeoVector(center),
          most: radius >= .pi ? .infinity : sine(radius / 2) * sine(radius / 2))
      case .polygon(let rings): .polygon(rings.map { GeoRing($0) })
      }
  }

  /// Whether a point is in the shape. The edges of a box and of a circle belong to it. For a point
  /// on the line of a polygon, the result may be either, but is always the same.
  ///
  /// Invalid coordinates are in no shape.
  package func contains(longitude: Double, latitude: Double) -> Bool {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return false }
    let position = GeoPosition(longitude: longitude, latitude: latitude)
    switch form {
    case .box(let bottomLeft, let topRight):
      guard bottomLeft.latitude...topRight.latitude ~= latitude else { return false }
      let names = abs(longitude) == 180 ? [-180, 180] : [longitude]
      return names.contains { $0.isBetween(bottomLeft.longitude, topRight.longitude) }
    case .circle(let center, let most):
      // Half of the chord, squared, which is also exact for small distances.
      let point = GeoVector(position)
      let (x, y, z) = (point.x - center.x, point.y - center.y, point.z - center.z)
      return (x * x + y * y + z * z) / 4 <= most
    case .polygon(let rings):
      let point = GeoVector(position)
      guard let outer = rings.first, outer.contains(point) else { return false }
      return !rings.dropFirst().contains { $0.contains(point) }
    }
  }
}

extension Double {
  /// Whether a longitude is between two others, going east.
  fileprivate func isBetween(_ west: Double, _ east: Double) -> Bool {
    west <= east ? west...east ~= self : self >= west || self <= east
  }
}

/// The latitudes and longitudes that enclose an area, in degrees. An index, or two comparisons, can
/// check them before the area itself.
package struct GeoBounds: Sendable, Hashable {
  package var latitudes: ClosedRange<Double>
  /// Nil if the area contains a pole, or crosses the meridian of 180 degrees.
  package var longitudes: ClosedRange<Double>?

  /// A margin above the error of the computed numbers.
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
    // The meridian of 180 degrees has two numbers.
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
    // Along an arc that doesn't cross that meridian, the longitude is monotonic.
    let isInOnePiece = all.indices.allSatisfy { abs(all[$0] - all[($0 + 1) % all.count]) < 180 }
    if isInOnePiece, first > -180 + Self.margin, last < 180 - Self.margin {
      longitudes = first - Self.margin...last + Self.margin
    }
  }
}

/// A point on the Earth's surface, in degrees.
package struct GeoPosition: Sendable, Hashable {
  package let longitude: Double
  package let latitude: Double

  package init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
  }
}

/// An area on the Earth's surface that a condition asks about.
///
/// ``text`` is how it comes to the function that SQL calls.
package enum GeoShape: Sendable, Hashable {
  case box(bottomLeft: GeoPosition, topRight: GeoPosition)
  /// The radius is an angle at the centre of the Earth, in radians.
  case circle(center: GeoPosition, radius: Double)
  /// The outer ring first, then the holes; the last position of each ring is its first.
  case polygon([[GeoPosition]])

  /// The type, as messages name it.
  package var typeName: String {
    switch self {
    case .box: "GeoBox"
    case .circle: "GeoCircle"
    case .polygon: "GeoPolygon"
    }
  }
}

extension GeoShape {
  /// The shape as a text that ``init(text:)`` reads: its letter and numbers, exactly.
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

  /// Nil for a text that isn't one of a shape.
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

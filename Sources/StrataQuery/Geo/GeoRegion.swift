/// A shape, ready to be asked about many places.
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

  /// Whether a point is in the shape. The edges of a box and of a circle belong to it; a point on
  /// the line of a polygon may be in it or not, always the same.
  ///
  /// Numbers that are no point on the Earth are in no shape.
  package func contains(longitude: Double, latitude: Double) -> Bool {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return false }
    let position = GeoPosition(longitude: longitude, latitude: latitude)
    switch form {
    case .box(let bottomLeft, let topRight):
      guard bottomLeft.latitude...topRight.latitude ~= latitude else { return false }
      let names = abs(longitude) == 180 ? [-180, 180] : [longitude]
      return names.contains { $0.isBetween(bottomLeft.longitude, topRight.longitude) }
    case .circle(let center, let most):
      // Half of the chord, squared, which is exact for small distances too.
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

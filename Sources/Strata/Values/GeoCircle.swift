import StrataQuery

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

  /// Makes a circle, whose radius is an angle at the centre of the Earth; nil for a radius that is
  /// less than 0, or no number.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard let radius = Distance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// Makes a circle around a latitude and a longitude, whose radius is an angle at the centre of
  /// the Earth; nil for what is no place, and for a radius that is less than 0, or no number.
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

/// A place on the Earth's surface, to make the areas of conditions of.
///
/// Places are kept as embedded objects in GeoJSON's form, of which any class with these two
/// properties is one:
///
/// ```swift
/// class Location: EmbeddedObject {
///   @Persisted var type = "Point"
///   /// The longitude first, then the latitude, in degrees.
///   @Persisted var coordinates: List<Double>
/// }
/// ```
/// ``Query/geoWithin(_:)`` asks whether such an object is in an area. A `GeoPoint` itself can't be
/// kept.
public struct GeoPoint: Sendable, Hashable {
  /// In degrees, from -90 to 90.
  public let latitude: Double
  /// In degrees, from -180 to 180.
  public let longitude: Double
  /// Not less than 0. No condition asks for it.
  public let altitude: Double

  /// Makes a place; nil for numbers that are outside of their ranges, or no numbers.
  ///
  /// - Parameters:
  ///   - latitude: In degrees, from -90 to 90.
  ///   - longitude: In degrees, from -180 to 180.
  ///   - altitude: Not less than 0; no condition asks for it.
  public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
    guard abs(latitude) <= 90, abs(longitude) <= 180, altitude >= 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// Makes a place: see ``init(latitude:longitude:altitude:)``.
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

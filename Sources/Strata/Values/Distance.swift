/// A distance on the Earth's surface, for the radius of a ``GeoCircle``.
///
/// ```swift
/// let circle = GeoCircle(center: (55.67, 12.56), radius: .kilometers(10)!)
/// ```
/// The Earth is a ball here, with a radius of 6,378.1 km.
public struct Distance: Sendable, Hashable {
  /// The angle at the centre of the Earth.
  public let radians: Double

  private static let earthRadius = 6_378_100.0
  private static let metersOfMile = 1_609.344

  private init?(_ radians: Double) {
    guard radians >= 0 else { return nil }
    self.radians = radians
  }

  /// A distance in kilometers; nil for one that is less than 0, or no number.
  public static func kilometers(_ kilometers: Double) -> Distance? {
    Distance(kilometers * 1_000 / earthRadius)
  }

  /// A distance in miles of 1,609.344 m; nil for one that is less than 0, or no number.
  public static func miles(_ miles: Double) -> Distance? {
    Distance(miles * metersOfMile / earthRadius)
  }

  /// A distance as an angle at the centre of the Earth, in degrees; nil for one that is less than
  /// 0, or no number.
  public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees * .pi / 180) }

  /// A distance as an angle at the centre of the Earth, in radians; nil for one that is less than
  /// 0, or no number.
  public static func radians(_ radians: Double) -> Distance? { Distance(radians) }

  /// The distance in kilometers.
  public func asKilometers() -> Double { radians * Self.earthRadius / 1_000 }

  /// The distance in miles of 1,609.344 m.
  public func asMiles() -> Double { radians * Self.earthRadius / Self.metersOfMile }

  /// The distance as an angle at the centre of the Earth, in degrees.
  public func asDegrees() -> Double { radians * 180 / .pi }
}

/// Realm's name of ``Distance``.
public typealias RLMDistance = Distance

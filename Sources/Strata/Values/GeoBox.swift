import StrataQuery

/// All between two latitudes and two longitudes. The edges belong to it.
///
/// ```swift
/// let box = GeoBox(bottomLeft: (55.62, 12.08), topRight: (55.68, 12.57))!
/// ```
/// Where the left longitude is greater than the right one, the box crosses the meridian of 180
/// degrees. A bottom above the top is a mistake of the condition that asks for the box.
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

  /// Makes a box of two corners, each with its latitude and its longitude; nil where one is no
  /// place.
  public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else {
      return nil
    }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }

  var shape: GeoShape { .box(bottomLeft: bottomLeft.position, topRight: topRight.position) }
}

import StrataQuery

/// An area as conditions keep it.
protocol GeoArea: RLMGeospatial {
  var shape: GeoShape { get }
}

/// Realm's name of ``GeoBox``.
public typealias RLMGeospatialBox = GeoBox
/// Realm's name of ``GeoCircle``.
public typealias RLMGeospatialCircle = GeoCircle
/// Realm's name of ``GeoPolygon``.
public typealias RLMGeospatialPolygon = GeoPolygon

import StrataQuery

/// An area that a condition can ask about: a ``GeoBox``, a ``GeoCircle`` or a ``GeoPolygon``.
public protocol RLMGeospatial: Sendable, Hashable {}

import StrataQuery

extension Query where T: _OptionalProtocol, T.Wrapped: EmbeddedObject {
  /// Whether the embedded object is a place in an area.
  ///
  /// ```swift
  /// let circle = GeoCircle(center: (55.67, 12.56), radius: .kilometers(10)!)!
  /// realm.objects(Person.self).where { $0.location.geoWithin(circle) }
  /// realm.objects(Person.self).filter("location IN %@", circle)
  /// ```
  ///
  /// The object has the form that ``GeoPoint`` shows. A nil link, a `type` that isn't "Point" in
  /// any case, and coordinates that are no place on the Earth, are in no area. What is around the
  /// area is compared in SQL, the area itself only with what is left.
  ///
  /// A class of another form, and an area that can't be one, are mistakes: the results find
  /// nothing, and `write` throws it; anywhere else it is reported.
  public func geoWithin<Area: RLMGeospatial>(_ area: Area) -> Query<Bool> {
    Query<Bool>(content.compared(.geoWithin, QueryValue(area)))
  }
}

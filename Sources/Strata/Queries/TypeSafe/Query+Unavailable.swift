extension Query where T: _OptionalProtocol, T.Wrapped: EmbeddedObject {
  @available(
    *, unavailable,
    message: "There are no geospatial queries: compare longitude and latitude with ranges."
  )
  public func geoWithin<Area>(_ area: Area) -> Query<Bool> { Query<Bool>(content) }
}

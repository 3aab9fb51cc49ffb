extension Query where T == AnyRealmValue {
  @available(
    *, unavailable,
    message: "An 'AnyRealmValue' holds no collections: use a 'List' or a 'Map' property."
  )
  public subscript(position: Int) -> Query<AnyRealmValue> { self }

  @available(
    *, unavailable,
    message: "An 'AnyRealmValue' holds no collections: use a 'List' or a 'Map' property."
  )
  public subscript(key: String) -> Query<AnyRealmValue> { self }

  @available(
    *, unavailable,
    message: "An 'AnyRealmValue' holds no collections: use a 'List' or a 'Map' property."
  )
  public var any: Query<AnyRealmValue> { self }
}

extension Query where T: _OptionalProtocol, T.Wrapped: EmbeddedObject {
  @available(
    *, unavailable,
    message: "There are no geospatial queries: compare longitude and latitude with ranges."
  )
  public func geoWithin<Area>(_ area: Area) -> Query<Bool> { Query<Bool>(content) }
}

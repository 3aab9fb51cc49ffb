import StrataSchema

extension QueryCompiler {
  /// The point that an embedded object is; both parts are NULL for what is no point.
  ///
  /// - Parameters:
  ///   - typeSQL: What its type is.
  ///   - identity: The identity of the object.
  func point(
    _ type: QueryProperty, _ coordinates: QueryProperty, _ typeSQL: String, of identity: String
  ) -> SQLValue {
    note(type)
    note(coordinates)
    let list = nextAlias("p")
    func coordinate(_ index: Int) -> String {
      "(SELECT \(list).value FROM \(coordinates.table) AS \(list) WHERE \(list).owner = \(identity) "
        + "AND lower(\(typeSQL)) = 'point' ORDER BY \(list).position LIMIT 1 OFFSET \(index))"
    }
    return SQLValue(
      sql: coordinate(0), type: .double, allowsNil: true, latitude: coordinate(1))
  }

  /// Whether a point is in an area: two comparisons with what is around it leave few for the
  /// function.
  func within(_ point: SQLValue, _ constant: ResolvedConstant) -> String {
    guard let latitude = point.latitude, case .value(.text(let text), _) = constant,
      let shape = GeoShape(text: text)
    else { return "0" }
    let bounds = GeoBounds(shape)
    let ranges =
      [(latitude, bounds.latitudes)] + (bounds.longitudes.map { [(point.sql, $0)] } ?? [])
    let conditions = ranges.map { value, range in
      "\(value) BETWEEN \(parameter(.real(range.lowerBound))) AND "
        + parameter(.real(range.upperBound))
    }
    let exactly = "strata_within(\(point.sql), \(latitude), \(parameter(.text(text))))"
    return "(\((conditions + [exactly]).joined(separator: " AND ")))"
  }
}

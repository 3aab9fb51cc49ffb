import StrataSchema

extension ResolvedPath {
  /// Returns the path to the points that the embedded objects at its end represent.
  ///
  /// They have GeoJSON's form: a string `type`, and a list `coordinates` with the longitude first.
  /// - Throws: ``PredicateProblem`` for anything else.
  func leadingToPoints(
    in schema: QuerySchema, _ comparison: QueryComparison
  ) throws(PredicateProblem) -> ResolvedPath {
    guard nested.isEmpty, let className, let points = schema[className] else {
      throw .notPoints(comparison)
    }
    guard points.isEmbedded else { throw .pointsAtTopLevel(className) }
    guard let type = points["type"], type.type == .string, !type.isCollection,
      let coordinates = points["coordinates"], coordinates.type == .double,
      coordinates.property.collection == .list
    else { throw .notPoints(comparison) }
    var path = self
    switch target {
    case .property(let link): path.steps.append(.link(link, to: points))
    case .element(let elements): path.steps.append(.elements(elements, of: points))
    case .object: break
    case .keys, .mapValue, .value, .point: throw .notPoints(comparison)
    }
    path.target = .point(type: type, coordinates: coordinates)
    return path
  }
}

/// Mistakes in geospatial conditions. The sentences are Realm's.
extension PredicateProblem {
  static func notPoints(_ comparison: QueryComparison) -> PredicateProblem {
    let text = QueryPredicate.comparison(comparison).description
    return PredicateProblem(
      "Query '\(text)' links to data in the wrong format for a geoWithin query. Ask for a link to an "
        + "embedded object with '@Persisted var type: String' and '@Persisted var coordinates: "
        + "List<Double>'.")
  }

  static func pointsAtTopLevel(_ className: String) -> PredicateProblem {
    PredicateProblem(
      "A GEOWITHIN query can only operate on a link to an embedded class but '\(className)' is at the "
        + "top level. Make it an EmbeddedObject.")
  }

  static func invalidRegion(_ shape: GeoShape, _ problem: String) -> PredicateProblem {
    PredicateProblem("Invalid region in GEOWITHIN query for parameter '\(shape)': '\(problem)'")
  }

  static let geoWithinNeedsShape = PredicateProblem(
    "Operator 'GEOWITHIN' needs an area. Pass a GeoBox, a GeoCircle or a GeoPolygon.")

  static let geoWithinWithOptions = PredicateProblem(
    "Operator 'GEOWITHIN' takes no '[c]' and '[d]'. Leave them out.")
}

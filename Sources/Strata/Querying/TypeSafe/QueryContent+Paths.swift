import StrataQuery

extension QueryContent {
  /// The property of this object, of the object that this link leads to, or of the objects of this
  /// collection.
  func following<Root: ObjectBase>(_ keyPath: PartialKeyPath<Root>) -> QueryContent {
    let path = persistedPath(of: keyPath)
    if isObject, let operand = path?.operand { return QueryContent(.operand(operand)) }
    guard let property = path?.ownProperty else {
      let type = "\(Swift.type(of: keyPath).valueType)"
      return adding(.invalid(.computed(type, of: Root.className())))
    }
    return adding(.property(property.name), isCollection: property.hasManyValues)
  }

  /// Whether it is the object that is asked about, and no property of it.
  private var isObject: Bool {
    guard collections.isEmpty, case .operand(.path(let path)) = term else { return false }
    return path.parts.isEmpty && path.variable == nil
  }

  /// One more part at the end of the path.
  func adding(_ part: QueryPart, isCollection: Bool = false) -> QueryContent {
    guard case .operand(.path(var path)) = term else { return invalid(at: part) }
    if case .key(let key)? = path.parts.last, !part.leadsIntoValue {
      return .invalid(.pathAfterKey(key))
    }
    path.parts.append(part)
    return QueryContent(
      .operand(.path(path)), collections: isCollection ? collections + [path] : collections)
  }

  /// No path: because of what is wrong already, or because it goes on behind a condition.
  private func invalid(at part: QueryPart) -> QueryContent {
    .invalid(predicate.problem ?? .noPath(for: part))
  }

  /// An operation on the elements of this collection: `$0.tags.count`, `$0.scores.max`.
  func computing(_ operation: QueryAggregate) -> QueryContent {
    guard case .operand(.path(let path)) = term else {
      return invalid(at: .operation(operation))
    }
    return inserting(operation, into: path, at: path.parts.count)
  }

  /// An operation on a property of the objects of the first collection on the path:
  /// `$0.dogs.age.avg`, `$0.company.staff.age.avg`.
  func computingProperty(_ operation: QueryAggregate) -> QueryContent {
    guard case .operand(.path(var path)) = term else {
      return invalid(at: .operation(operation))
    }
    guard let first = collections.first else { return computing(operation) }
    let position = first.parts.count
    // The values of a map are what an operation computes with anyway.
    if path.parts.indices.contains(position), path.parts[position] == .values {
      path.parts.remove(at: position)
    }
    return inserting(operation, into: path, at: position)
  }

  private func inserting(
    _ operation: QueryAggregate, into path: QueryPath, at position: Int
  ) -> QueryContent {
    var path = path
    path.parts.insert(.operation(operation), at: position)
    return QueryContent(
      .operand(.path(path)), collections: collections.filter { $0.parts.count < position })
  }

  /// The value of a key of this map.
  func value(ofKey key: String) -> QueryContent {
    var content = adding(.key(key))
    // One value, in the place of all.
    if !content.collections.isEmpty { content.collections.removeLast() }
    return content
  }
}

extension QueryPart {
  /// Whether it is a step into a list or a dictionary that an `AnyRealmValue` is.
  fileprivate var leadsIntoValue: Bool {
    switch self {
    case .key, .index, .any: true
    case .property, .operation, .keys, .values, .invalid: false
    }
  }
}

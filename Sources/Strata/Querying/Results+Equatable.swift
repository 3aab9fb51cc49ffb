extension Results: Equatable {
  /// Whether both ask the same of the same realm: for the same objects, with the same conditions,
  /// in the same order. Results of values are equal when they have the same elements of the same
  /// collection.
  public static func == (first: Results, second: Results) -> Bool {
    switch (first.source, second.source) {
    case (.objects(let first), .objects(let second)):
      first.session === second.session && first.query.isSame(as: second.query)
    case (.values(let first), .values(let second)):
      first === second || first.isSame(as: second)
    case (.objects, .values), (.values, .objects): false
    }
  }
}

extension LinkingObjects: Equatable {
  /// Whether both are the objects that link to the same one through the same property.
  public static func == (first: LinkingObjects, second: LinkingObjects) -> Bool {
    first.originProperty == second.originProperty && first.results == second.results
  }
}

extension SortedElements {
  fileprivate func isSame(as other: SortedElements) -> Bool {
    guard let rows else { return other.rows == nil && elements.isSame(as: other.elements) }
    return other.rows.map { rows.isSame(as: $0) } == true && elements.isSame(as: other.elements)
  }
}

extension ObjectQuery {
  fileprivate func isSame(as other: ObjectQuery) -> Bool {
    table.info === other.table.info && source.isSame(as: other.source) && request == other.request
  }
}

extension ObjectQuery.Source {
  fileprivate func isSame(as other: ObjectQuery.Source) -> Bool {
    switch (self, other) {
    case (.all, .all): true
    case (.collection(let info, let owner), .collection(let other, let otherOwner)):
      owner == otherOwner && info.name == other.name
    case (.linking(let column, let row), .linking(let other, let otherRow)):
      row == otherRow && column == other
    case (.containing(let info, let row), .containing(let other, let otherRow)):
      row == otherRow && info.name == other.name
    default: false
    }
  }
}

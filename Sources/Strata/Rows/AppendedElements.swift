import GRDB

/// Elements that were appended to one list and are not written yet: one statement for several takes
/// half of the time of one for each.
struct AppendedElements {
  private var list: ElementTable?
  /// The position of the first one; the others follow.
  private var position: Int64 = 0
  private var elements: [_StoredElement] = []

  private static let most = 256

  var isEmpty: Bool { elements.isEmpty }

  /// Takes elements; false when those that it has must be written first.
  mutating func append(
    _ new: [_StoredElement], to list: ElementTable, at position: Int64
  ) -> Bool {
    if let known = self.list {
      guard elements.count < Self.most, known.owner == list.owner,
        known.info.index == list.info.index, self.position + Int64(elements.count) == position
      else { return false }
    } else {
      self.list = list
      self.position = position
    }
    elements.append(contentsOf: new)
    return true
  }

  /// Empties itself; nil when it is empty.
  mutating func take() -> AppendedElements? {
    guard !isEmpty else { return nil }
    defer { self = AppendedElements() }
    return self
  }

  func write(_ db: Database) throws {
    try list?.insert(db, elements, position: position)
  }
}

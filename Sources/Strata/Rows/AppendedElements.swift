import GRDB

/// Elements that were appended to one list and are not written yet: one statement for several takes
/// half of the time of one for each.
struct AppendedElements {
  private var list: ElementTable?
  /// The position of the first one; the others follow.
  private var position: Int64 = 0
  private var elements: [_StoredElement] = []
  /// The tables of the owner, and of elements that are objects: their new rows come first.
  private(set) var referred: (owner: Table, target: Table?)?

  private static let most = 256

  /// Takes elements; false when they are of another list, or don't follow those that it has.
  mutating func append(
    _ new: [_StoredElement], to list: ElementTable, at position: Int64,
    referringTo referred: (owner: Table, target: Table?)
  ) -> Bool {
    if let known = self.list {
      guard elements.count < Self.most, known.owner == list.owner,
        known.info.index == list.info.index, self.position + Int64(elements.count) == position
      else { return false }
    } else {
      self.list = list
      self.referred = referred
      self.position = position
    }
    elements.append(contentsOf: new)
    return true
  }

  func write(_ db: Database) throws {
    try list?.insert(db, elements, position: position)
  }
}

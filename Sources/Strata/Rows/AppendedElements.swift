import GRDB

/// Elements that were appended to one list and are not written yet: one statement for several takes
/// half of the time of one for each.
struct AppendedElements {
  let list: ElementTable
  /// The position of the first one; the others follow.
  private let position: Int64
  private var elements: [_StoredElement]
  /// The tables of the owner, and of elements that are objects: their new rows come first.
  let referred: (owner: Table, target: Table?)

  private static let most = 256

  init(
    _ elements: [_StoredElement], to list: ElementTable, at position: Int64,
    referringTo referred: (owner: Table, target: Table?)
  ) {
    self.elements = elements
    self.list = list
    self.position = position
    self.referred = referred
  }

  /// Takes more elements; false when they are of another list, or don't follow those that it has.
  mutating func append(
    _ new: [_StoredElement], to list: ElementTable, at position: Int64
  ) -> Bool {
    guard elements.count < Self.most, self.list.owner == list.owner,
      self.list.info.index == list.info.index, self.position + Int64(elements.count) == position
    else { return false }
    elements.append(contentsOf: new)
    return true
  }

  func write(_ db: Database) throws {
    try list.insert(db, elements, position: position)
  }
}

import StrataStorage

/// What arrays can do with several elements. Nothing of it makes a new list: a list that is a
/// constant, or the property of one, is changed as well.
extension List: RangeReplaceableCollection {
  /// The elements at some positions; setting them replaces them by others, as many as there are.
  /// Positions out of range stop the process.
  public subscript(positions: Range<Int>) -> Slice<List> {
    get { Slice(base: self, bounds: positions) }
    set { replaceSubrange(positions, with: newValue) }
  }

  /// Replaces elements by others. Positions out of range stop the process.
  public func replaceSubrange(_ positions: Range<Int>, with new: some Collection<Element>) {
    // They may be elements of this list.
    let new = Array(new)
    guard rows == nil else { return replaceStored(positions, with: new) }
    removeSubrange(positions)
    insert(contentsOf: new, at: positions.lowerBound)
  }

  /// Replaces elements by others. Positions out of range stop the process.
  public func replaceSubrange(
    _ positions: some RangeExpression<Int>, with new: some Collection<Element>
  ) {
    replaceSubrange(positions.relative(to: self), with: new)
  }

  /// Removes elements. Positions out of range stop the process.
  public func removeSubrange(_ positions: some RangeExpression<Int>) {
    removeSubrange(positions.relative(to: self))
  }

}

// Separate, because they return nothing, as in RealmSwift; the protocol's return the elements.
extension List {
  /// Removes the first element. An empty list stops the process.
  public func removeFirst() { removeFirst(1) }

  /// Removes the first elements. More than there are stop the process.
  public func removeFirst(_ number: Int) {
    checkRemoving(number)
    removeSubrange(0..<number)
  }

  /// Removes the last element. An empty list stops the process.
  public func removeLast() { removeLast(1) }

  /// Removes the last elements. More than there are stop the process.
  public func removeLast(_ number: Int) {
    let count = count
    checkRemoving(number)
    removeSubrange(count - number..<count)
  }

  /// Removes the elements for which a closure is true.
  public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    // All are asked before the first one is removed.
    let (stamp, count) = (rows?.stamp, memory.count)
    let found = try enumerated().filter { try shouldBeRemoved($0.element) }
    var positions = found.map(\.offset)
    // The closure may have deleted the objects, or changed the list: others are at the positions.
    if rows?.stamp != stamp || memory.count != count {
      let removed = Set(found.map { ElementKey($0.element) })
      positions = enumerated().filter { removed.contains(ElementKey($0.element)) }.map(\.offset)
    }
    for position in positions.reversed() { remove(at: position) }
  }

  /// The elements for which a closure is true, as an array: a list of objects would be one of
  /// objects in no realm.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> [Element] {
    var elements: [Element] = []
    for element in self where try isIncluded(element) { elements.append(element) }
    return elements
  }

  private func checkRemoving(_ number: Int) {
    let count = count
    guard number < 0 || number > count else { return }
    stopForProgrammerError(
      number < 0
        ? "It is not possible to remove a negative number of objects (\(number)). "
          + "('List<\(Element.self)>')"
        : "It is not possible to remove more objects (\(number)) from a list than it already "
          + "contains (\(count)). ('List<\(Element.self)>')")
  }
}

import StrataStorage

/// Array operations with several elements. They change this list and never create a new one, so
/// they also work on a list that is a `let` constant.
extension List: RangeReplaceableCollection {
  /// The elements at some positions. Setting them replaces them by any number of new elements.
  /// Positions out of range stop the process.
  public subscript(positions: Range<Int>) -> Slice<List> {
    get { Slice(base: self, bounds: positions) }
    set { replaceSubrange(positions, with: newValue) }
  }

  /// Replaces elements by others. Positions out of range stop the process.
  public func replaceSubrange(_ positions: Range<Int>, with new: some Collection<Element>) {
    // The new elements may be elements of this list.
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

// Separate, because these return nothing, as in RealmSwift; the protocol's methods return elements.
extension List {
  /// Removes the first element. An empty list stops the process.
  public func removeFirst() { removeFirst(1) }

  /// Removes the first elements. A number greater than ``count`` stops the process.
  public func removeFirst(_ number: Int) {
    checkRemoving(number)
    removeSubrange(0..<number)
  }

  /// Removes the last element. An empty list stops the process.
  public func removeLast() { removeLast(1) }

  /// Removes the last elements. A number greater than ``count`` stops the process.
  public func removeLast(_ number: Int) {
    let count = count
    checkRemoving(number)
    removeSubrange(count - number..<count)
  }

  /// Removes the elements for which a closure returns true.
  public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    // The closure runs for all elements before the first one is removed.
    let (stamp, count) = (rows?.stamp, memory.count)
    let found = try enumerated().filter { try shouldBeRemoved($0.element) }
    var positions = found.map(\.offset)
    // The closure may have deleted objects or changed the list, so the positions may be out of
    // date.
    if rows?.stamp != stamp || memory.count != count {
      let removed = Set(found.map { ElementKey($0.element) })
      positions = enumerated().filter { removed.contains(ElementKey($0.element)) }.map(\.offset)
    }
    for position in positions.reversed() { remove(at: position) }
  }

  /// The elements for which a closure returns true, as an array: a list would contain unmanaged
  /// objects.
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

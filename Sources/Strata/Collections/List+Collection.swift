extension List: RandomAccessCollection, MutableCollection {
  /// Goes through the elements that were there when it began.
  public struct Iterator: IteratorProtocol {
    var memory: IndexingIterator<[Element]>
    var cursor: ElementCursor?
    var rows: _CollectionRows?

    public mutating func next() -> Element? {
      guard let cursor, let rows else { return memory.next() }
      guard let (_, stored, object) = cursor.next() else { return nil }
      // The type of the elements is that of the objects: an optional would take nil for one.
      if let object, let element = object as? Element { return element }
      return List.element(stored, in: rows)
    }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public func makeIterator() -> Iterator {
    Iterator(memory: memory.makeIterator(), cursor: rows?.cursor(), rows: rows)
  }
}

extension List: CustomStringConvertible, NestedDescription {
  /// The type, and the first hundred elements, as RealmSwift prints them.
  public var description: String { description(depth: maximumDescriptionDepth) }

  func description(depth: Int) -> String {
    describeElements(
      "List<\(Element.self)> <\(Unmanaged.passUnretained(self).toOpaque())>",
      leading(100).map { $0._dynamicElement }, count: count, depth: depth)
  }
}

extension List: Hashable {
  /// Whether both are the same list, of the same object.
  public static func == (first: List, second: List) -> Bool {
    if first === second { return true }
    guard let rows = first.rows, let other = second.rows else { return false }
    return rows.isSame(as: other)
  }

  public func hash(into hasher: inout Hasher) {
    if let rows { hasher.combine(rows.identity) } else { hasher.combine(ObjectIdentifier(self)) }
  }
}

/// The elements of a collection, numbered, one a line.
func describeElements(
  _ title: String, _ elements: @autoclosure () -> [Any?], count: @autoclosure () -> Int, depth: Int
) -> String {
  guard depth > 0 else { return ObjectBase.tooDeep }
  let elements = elements()
  var lines = elements.enumerated().map { index, element in
    "\t[\(index)] " + indented(describeValue(element, depth: depth - 1))
  }
  let rest = count() - elements.count
  if rest > 0 { lines.append("\t... \(rest) more") }
  return "\(title) (\n\(lines.joined(separator: ",\n"))\n)"
}

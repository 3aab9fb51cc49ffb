extension List: RandomAccessCollection, MutableCollection {
  /// Goes through the elements that were there when it began.
  public struct Iterator: IteratorProtocol {
    var memory: IndexingIterator<[Element]>
    var cursor: ElementCursor?
    var rows: _CollectionRows?

    public mutating func next() -> Element? {
      guard let cursor, let rows else { return memory.next() }
      guard let (_, stored, object) = cursor.next() else { return nil }
      if let object = object as? Element { return object }
      return List.element(stored, in: rows)
    }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public func makeIterator() -> Iterator {
    Iterator(memory: memory.makeIterator(), cursor: rows?.cursor(), rows: rows)
  }
}

extension List: CustomStringConvertible {
  /// The type, and the first hundred elements, as RealmSwift prints them.
  public var description: String {
    describeElements(
      "List<\(Element.self)> <\(Unmanaged.passUnretained(self).toOpaque())>",
      prefix(100).map { $0._dynamicElement }, count: count)
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
func describeElements(_ title: String, _ elements: [Any?], count: Int) -> String {
  var lines = elements.enumerated().map { index, element in
    let text = describeValue(element).split(separator: "\n", omittingEmptySubsequences: false)
    return "\t[\(index)] " + text.joined(separator: "\n\t")
  }
  if count > elements.count { lines.append("\t... \(count - elements.count) more") }
  return "\(title) (\n\(lines.joined(separator: ",\n"))\n)"
}

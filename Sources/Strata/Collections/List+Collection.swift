extension List: RandomAccessCollection {
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

extension List: Encodable where Element: Encodable {
  /// Writes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension List: Decodable where Element: Decodable {
  /// Reads an array of elements into a list in memory.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { append(try container.decode(Element.self)) }
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

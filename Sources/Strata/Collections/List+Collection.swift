extension List: RandomAccessCollection, MutableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  /// Iterates over the elements that existed at the beginning.
  public func makeIterator() -> CollectionIterator<Element> { CollectionIterator(memory, rows) }
}

extension List: CustomStringConvertible, NestedDescription {
  /// The type, and the first hundred elements, as RealmSwift prints them.
  public var description: String { description(depth: maximumDescriptionDepth) }

  func description(depth: Int) -> String {
    describeElements(
      "List<\(elementName(Element.self))> <\(Unmanaged.passUnretained(self).toOpaque())>",
      leading(100).map { $0._dynamicElement }, count: count, depth: depth)
  }
}

extension List: Hashable {
  /// Whether both are the same list, of the same object.
  public static func == (first: List, second: List) -> Bool {
    areSame(first, second) { first.memory.isSame(as: second.memory) }
  }

  public func hash(into hasher: inout Hasher) { hashIdentity(into: &hasher) }
}

/// The type of elements as descriptions show it.
func elementName<Element: RealmCollectionValue>(_ type: Element.Type) -> String {
  (type as? ObjectBase.Type)?.shownName ?? withoutBackticks("\(type)")
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

import StrataSchema

/// An element as collections in memory know it: equal to those that a file keeps as the same.
///
/// Texts are told apart by their bytes, also those that a custom type is kept as.
struct ElementKey: Hashable {
  private let value: AnyHashable

  init<Element: RealmCollectionValue>(_ element: Element) {
    if Element._elementType == .string {
      value = Self.text(element)
    } else {
      value = AnyHashable(element)
    }
  }

  private static func text<Element: RealmCollectionValue>(_ element: Element) -> AnyHashable {
    if Element.self == String.self {
      return AnyHashable(StoredText(unsafeBitCast(element, to: String.self)))
    }
    guard let text = unwrapped(element._dynamicElement) as? String else { return element }
    return AnyHashable(StoredText(text))
  }
}

extension Sequence where Element: RealmCollectionValue {
  /// Whether the elements are the same as those of another sequence, in the same order.
  func isSame(as other: some Sequence<Element>) -> Bool {
    lazy.map { ElementKey($0) }.elementsEqual(other.lazy.map { ElementKey($0) })
  }
}

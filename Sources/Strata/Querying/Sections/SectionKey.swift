/// The key of a section, which is another one where the bytes of a text are others.
///
/// Swift takes texts for equal that look alike, such as "é" of one scalar and of two. Conditions,
/// orders and distinct values don't, and sections must not: objects with such texts don't follow
/// each other.
struct SectionKey<Key: Hashable>: Hashable {
  let value: Key

  init(_ value: Key) {
    self.value = value
  }

  static func == (first: SectionKey, second: SectionKey) -> Bool {
    guard first.value == second.value else { return false }
    guard let one = text(first.value), let other = text(second.value) else { return true }
    return one.utf8.elementsEqual(other.utf8)
  }

  // Equal texts have equal hashes, in Swift's sense and in this one.
  func hash(into hasher: inout Hasher) { hasher.combine(value) }

  /// The key as a text; nil for other types, of which no cast is tried, and for nil.
  private static func text(_ key: Key) -> String? {
    if Key.self == String.self || Key.self == String?.self { return key as? String }
    if Key.self == Character.self || Key.self == Character?.self {
      return (key as? Character).map { String($0) }
    }
    if Key.self == Substring.self || Key.self == Substring?.self {
      return (key as? Substring).map { String($0) }
    }
    return nil
  }
}

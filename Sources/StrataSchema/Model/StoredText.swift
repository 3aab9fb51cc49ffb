/// A text of the user's data, which is another one where its bytes are others.
///
/// Swift takes texts for equal that look alike, such as "é" of one scalar and of two. A file
/// doesn't: they are two keys, two elements, two values.
package struct StoredText: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (first: Self, second: Self) -> Bool {
    first.text.utf8.elementsEqual(second.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // So that texts one after the other don't have the hash of others.
    hasher.combine(UInt8.max)
  }
}

/// A set of properties of one class.
///
/// The first 63 properties are bits of one word, and further ones are bits of more words. A set may
/// also be all properties of a class, whatever their number, if the object itself was added or
/// deleted.
package struct PropertySet: Sendable, Hashable {
  /// All bits, with ``more`` empty, represent all properties.
  @usableFromInline var first: UInt64
  /// Further words. The last one isn't 0.
  @usableFromInline var more: [UInt64]

  @usableFromInline
  init(first: UInt64, more: [UInt64]) {
    self.first = first
    self.more = more
  }

  /// No property.
  @inlinable
  package init() { self.init(first: 0, more: []) }

  package init(_ slot: _PropertySlot) {
    self.init()
    insert(slot)
  }

  package init(_ slots: some Sequence<_PropertySlot>) {
    self.init()
    for slot in slots { insert(slot) }
  }

  /// Creates the properties that are bits of one of the words; all properties for the first word
  /// with all bits.
  package init(word: Int, bits: UInt64) {
    self.init(first: word == 0 ? bits : 0, more: [])
    if word > 0, bits != 0 { more = Array(repeating: 0, count: word - 1) + [bits] }
  }

  @inlinable package static var all: Self { Self(first: .max, more: []) }

  @inlinable @inline(__always) package var isAll: Bool { first == .max }

  @inlinable @inline(__always) package var isEmpty: Bool { first == 0 && more.isEmpty }

  /// The words, in which each property is a bit.
  package var words: [UInt64] { [first] + more }

  @inlinable @inline(__always)
  package static func place(of slot: _PropertySlot) -> (word: Int, bit: UInt64) {
    let number = Int(slot.number)
    if number < 63 { return (0, 1 << UInt64(number)) }
    return (1 + (number - 63) / 64, 1 << UInt64((number - 63) % 64))
  }

  @inlinable @inline(__always)
  package func contains(_ slot: _PropertySlot) -> Bool {
    if isAll { return true }
    let (word, bit) = Self.place(of: slot)
    return word == 0 ? first & bit != 0 : word <= more.count && more[word - 1] & bit != 0
  }

  @inlinable
  package mutating func insert(_ slot: _PropertySlot) {
    if isAll { return }
    let (word, bit) = Self.place(of: slot)
    if word == 0 {
      first |= bit
    } else {
      while more.count < word { more.append(0) }
      more[word - 1] |= bit
    }
  }

  package mutating func formUnion(_ other: Self) {
    if isAll || other.isAll { return self = .all }
    first |= other.first
    for (index, word) in other.more.enumerated() {
      if index < more.count { more[index] |= word } else { more.append(word) }
    }
  }

  package func union(_ other: Self) -> Self {
    var union = self
    union.formUnion(other)
    return union
  }

  package func intersects(_ other: Self) -> Bool {
    if isEmpty || other.isEmpty { return false }
    if isAll || other.isAll || first & other.first != 0 { return true }
    return zip(more, other.more).contains { $0 & $1 != 0 }
  }
}

/// The position of a property in its class, by which all data for the property is found.
///
/// Only the list of a class's properties creates slots. A position in another list is a number, not
/// a slot.
public struct _PropertySlot: Sendable, Hashable, Comparable {
  @usableFromInline package let number: UInt16

  @inlinable
  package init(number: UInt16) { self.number = number }

  /// The slot of a wrapper whose property doesn't belong to its class.
  @inlinable public static var outside: Self { Self(number: .max) }

  @inlinable
  public static func < (first: Self, second: Self) -> Bool { first.number < second.number }
}

/// An array with an element for each property of a class.
package struct SlotArray<Element>: RandomAccessCollection {
  @usableFromInline let elements: ContiguousArray<Element>

  @inlinable
  package init(_ elements: some Sequence<Element>) { self.elements = ContiguousArray(elements) }

  @inlinable package var startIndex: _PropertySlot { _PropertySlot(number: 0) }

  @inlinable package var endIndex: _PropertySlot {
    _PropertySlot(number: UInt16(elements.count))
  }

  @inlinable
  package func index(_ slot: _PropertySlot, offsetBy distance: Int) -> _PropertySlot {
    _PropertySlot(number: UInt16(Int(slot.number) + distance))
  }

  @inlinable
  package func index(after slot: _PropertySlot) -> _PropertySlot { index(slot, offsetBy: 1) }

  @inlinable
  package func index(before slot: _PropertySlot) -> _PropertySlot { index(slot, offsetBy: -1) }

  @inlinable
  package func distance(from start: _PropertySlot, to end: _PropertySlot) -> Int {
    Int(end.number) - Int(start.number)
  }

  // Inlined, because a call passes a copy of the array, and of a structure that holds it.
  @inlinable @inline(__always)
  package subscript(slot: _PropertySlot) -> Element { elements[Int(slot.number)] }
}

extension SlotArray: Sendable where Element: Sendable {}

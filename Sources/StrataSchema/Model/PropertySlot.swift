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

  @inlinable
  package subscript(slot: _PropertySlot) -> Element { elements[Int(slot.number)] }
}

extension SlotArray: Sendable where Element: Sendable {}

import StrataStorage

/// A wrapper for a frozen object or collection that can be sent to other tasks and actors.
///
/// Whether an object is frozen isn't part of its type, so the compiler must assume that no object
/// can be shared. This wrapper holds only frozen values, and gives them out for reading.
///
/// ```swift
/// let ada = try person.frozen()
/// Task.detached { print(ada.name, ada.dog?.name ?? "no dog", ada.dogs.count) }
/// ```
/// Objects and collections that are read from the wrapper are wrapped as well.
@dynamicMemberLookup
public struct Frozen<Value: ThreadConfined>: @unchecked Sendable {
  // guarded by: nothing; it is frozen, and what it remembers has a lock.
  let value: Value

  /// - Parameter value: A frozen object or collection.
  init(frozen value: Value) {
    self.value = value
  }

  /// A property whose values can be shared.
  public subscript<Member: Sendable>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    value[keyPath: keyPath]
  }

  /// The object that a link leads to; nil for a link that is nil.
  public subscript<Member: ObjectBase>(
    dynamicMember keyPath: KeyPath<Value, Member?>
  ) -> Frozen<Member>? {
    value[keyPath: keyPath].map { Frozen<Member>(frozen: $0) }
  }

  /// A collection.
  public subscript<Member: ThreadConfined>(
    dynamicMember keyPath: KeyPath<Value, Member>
  ) -> Frozen<Member> {
    Frozen<Member>(frozen: value[keyPath: keyPath])
  }

  /// Calls a closure with the frozen object or collection, for reads that no key path can express.
  ///
  /// - Returns: The result of the closure.
  public func read<Result: Sendable>(_ body: (Value) throws -> Result) rethrows -> Result {
    try body(value)
  }

  /// The live object or collection at the place of the caller; nil if it no longer exists there.
  ///
  /// - Parameter isolation: The actor of the caller.
  public func thaw(isolation: (any Actor)? = #isolation) -> Value? {
    value.thaw(isolation: isolation)
  }
}

extension ThreadConfined {
  /// Freezes like `freeze()`, and returns a value that can be sent to other tasks and actors.
  ///
  /// - Throws: ``Realm/Error`` with code `fail` for an unmanaged or deleted object or collection,
  ///   and for one that was created in the current transaction.
  public func frozen(fileID: String = #fileID, line: UInt = #line) throws -> Frozen<Self> {
    Frozen(frozen: try frozenOrError(CodeLocation(fileID: fileID, line: line)))
  }
}

extension Frozen: Equatable where Value: Equatable {}

extension Frozen: Hashable where Value: Hashable {}

extension Frozen: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Value: RealmCollection, Value.Element: ThreadConfined {
  public typealias Index = Int

  public var startIndex: Int { 0 }
  public var endIndex: Int { value.count }

  /// The object at a position. A position out of range stops the process, as with an array.
  public subscript(position: Int) -> Frozen<Value.Element> {
    Frozen<Value.Element>(frozen: value[position])
  }

  /// Iterates over the objects without a lookup of each position.
  public func makeIterator() -> AnyIterator<Frozen<Value.Element>> {
    var objects = value.makeIterator()
    return AnyIterator { objects.next().map { Frozen<Value.Element>(frozen: $0) } }
  }
}

extension Frozen where Value: RealmCollection, Value.Element: Sendable {
  /// The elements of a collection of values.
  public var elements: [Value.Element] { Array(value) }
}

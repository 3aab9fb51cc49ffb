import StrataStorage

/// Something that is frozen, as a value that Swift 6 lets go to other tasks and actors.
///
/// Whether an object is frozen isn't a part of its type, so that the compiler must take each for
/// one that can't be shared. This one holds only frozen ones, and gives them out for reading.
///
/// ```swift
/// let ada = try person.frozen()
/// Task.detached { print(ada.name, ada.dog?.name ?? "no dog", ada.dogs.count) }
/// ```
/// Objects and collections that are read from it are such values again.
@dynamicMemberLookup
public struct Frozen<Value: ThreadConfined>: @unchecked Sendable {
  // guarded by: nothing; it is frozen, and what it remembers has a lock.
  let value: Value

  /// - Parameter value: A frozen one.
  init(frozen value: Value) {
    self.value = value
  }

  /// A property whose values can be shared.
  public subscript<Member: Sendable>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    value[keyPath: keyPath]
  }

  /// The object that a link leads to; nil when it is nil.
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

  /// Gives the frozen object or collection to a closure, for what a key path can't say.
  ///
  /// - Returns: The result of the closure.
  public func read<Result: Sendable>(_ body: (Value) throws -> Result) rethrows -> Result {
    try body(value)
  }

  /// The live object or collection at the place of the caller; nil when it is gone there.
  ///
  /// - Parameter isolation: The actor of the caller.
  public func thaw(isolation: (any Actor)? = #isolation) -> Value? {
    value.thaw(isolation: isolation)
  }
}

extension ThreadConfined {
  /// The same as `freeze()`, as a value that can be sent to other tasks and actors.
  ///
  /// - Throws: ``Realm/Error`` with code `fail` for what is in no realm, was deleted, or was
  ///   created in the transaction that is going on.
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

  /// Reads the objects one after the other, without asking for each by its position.
  public func makeIterator() -> AnyIterator<Frozen<Value.Element>> {
    var objects = value.makeIterator()
    return AnyIterator { objects.next().map { Frozen<Value.Element>(frozen: $0) } }
  }
}

extension Frozen where Value: RealmCollection, Value.Element: Sendable {
  /// The elements of a collection of values.
  public var elements: [Value.Element] { Array(value) }
}

import CStrataRuntime
import StrataStorage

/// The realm of a managed object, as the object sees it. Sessions and rows of a migration override
/// the methods.
///
/// Keeps this folder free of SQL: an object only knows that its context updates its values. This is
/// a class and not a protocol, so that reading a property compares the clock without a call.
@usableFromInline
class ManagedContext {
  /// The clock for stamps: each object is stamped with the time of reading, which shows whether its
  /// values are current.
  @exclusivity(unchecked) @usableFromInline final var clock: StampClock

  /// Whether several threads may use the context at the same time. Its objects are then complete
  /// from the beginning, and never write to themselves afterwards.
  @exclusivity(unchecked) final let isShared: Bool
  /// The current generation; objects of an earlier one are invalidated.
  @exclusivity(unchecked) final var generation: UInt32 = 0
  /// The holders of collections in an `AnyRealmValue` that the program uses.
  @exclusivity(unchecked) final var nestedHolders: [NestedKey: WeakHolder] = [:]
  /// Whether new objects report their reads.
  @exclusivity(unchecked) final var tracksReads = false

  init(clock: StampClock, isShared: Bool = false) {
    self.clock = clock
    self.isShared = isShared
  }

  #if DEBUG
    func willUse() {}
  #endif

  /// Whether an object is still current although the clock has advanced, as each change of another
  /// object in a transaction advances it. If so, stamps the object with the current time.
  ///
  /// Runs no SQL, and returns false if the answer would need SQL.
  func keepsCurrent(_ object: ObjectBase) -> Bool { false }

  /// Brings the object up to date, if the file has changed since it was last read.
  func refresh(_ object: ObjectBase, slot: _PropertySlot) { mustOverride(self) }

  /// Called when a property is read, before the object is refreshed, if reads are tracked.
  func recordRead(_ object: ObjectBase, slot: _PropertySlot) { mustOverride(self) }

  /// Prepares the change of a property; false if the change is refused.
  func willWrite(_ object: ObjectBase, slot: _PropertySlot) -> Bool { mustOverride(self) }

  /// Whether the object's row still exists.
  func isPresent(_ object: ObjectBase) -> Bool { mustOverride(self) }

  /// Whether another context shows the same file, and neither of them is frozen.
  func sharesFile(with other: ManagedContext) -> Bool { mustOverride(self) }

  /// An identifier that all contexts of the same file share, and no others; nil without a file.
  var file: ObjectIdentifier? { nil }

  /// Returns the name of a class in the file.
  func className(of type: ObjectBase.Type) -> String { type.className() }

  /// Records an error in data for code that can't throw.
  func record(_ error: RealmError) { mustOverride(self) }

  /// The object of a row; nil if the row was deleted.
  func linkedObject(_ type: ObjectBase.Type, row: Int64) -> ObjectBase? { mustOverride(self) }

  /// The object of a row of the class with this name; nil if the row doesn't exist.
  func linkedObject(className: String, row: Int64) -> ObjectBase? { mustOverride(self) }

  /// Changes a link. Adds the target if it is unmanaged.
  func setLink(_ slot: _PropertySlot, of owner: ObjectBase, to target: ObjectBase?) {
    mustOverride(self)
  }

  /// The stored form of an object in a property of type `AnyRealmValue`. Adds an unmanaged object.
  func element(
    linkingTo object: ObjectBase, from owner: ObjectBase, _ slot: _PropertySlot
  ) throws(RealmError) -> _StoredElement { mustOverride(self) }

  func rows(of owner: ObjectBase, _ slot: _PropertySlot) -> _CollectionRows? { mustOverride(self) }
}

/// A property of a row, or a collection of a row.
struct NestedKey: Hashable {
  /// The class, or the table of the collection.
  var name: String
  var row: Int64
  /// The property; `.outside` for a collection.
  var slot: _PropertySlot
}

/// A weak reference to the holder of a nested value, for collections that find holders again.
struct WeakHolder {
  weak var holder: AnyObject?

  /// Whether a collection of weak references should remove released ones before it grows further.
  ///
  /// True at powers of two, so that the scans take constant time per addition on average.
  static func shouldPruneReleased(_ count: Int) -> Bool {
    count >= 32 && count.nonzeroBitCount == 1
  }
}

/// The context of an object with a value that doesn't fit. Adding the object throws the error.
final class FaultyContext: ManagedContext {
  let error: RealmError

  init(_ error: RealmError) {
    self.error = error
    super.init(clock: StampClock())
  }
}

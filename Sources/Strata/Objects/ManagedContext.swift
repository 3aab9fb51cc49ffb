import CStrataRuntime
import StrataStorage

/// The realm of a managed object, as the object sees it, which overrides each method; so does a row
/// of a migration.
///
/// Keeps this folder free of SQL: an object only knows that its context updates its values. A
/// class, so that reading a property compares the clock without a call.
@usableFromInline
class ManagedContext {
  /// Tells whether the values of an object are current: an object is stamped with the time of
  /// reading.
  @exclusivity(unchecked) @usableFromInline final var clock: StampClock

  /// Whether any thread may use it, several at the same time: then objects are whole from the
  /// beginning, and write nothing to themselves afterwards.
  @exclusivity(unchecked) final let isShared: Bool
  /// What objects of now have; those of an earlier one are invalidated.
  @exclusivity(unchecked) final var generation: UInt32 = 0
  /// Where the program holds collections that are in an `AnyRealmValue`.
  @exclusivity(unchecked) final var nestedHolders: [NestedKey: WeakHolder] = [:]
  /// Whether it wants to hear of reads of the objects that are made from now on.
  @exclusivity(unchecked) final var tracksReads = false

  init(clock: StampClock, isShared: Bool = false) {
    self.clock = clock
    self.isShared = isShared
  }

  #if DEBUG
    /// Called for each use of an object, before anything else.
    func willUse() {}
  #endif

  /// Whether the values of an object are still current although the clock has advanced, which each
  /// change of another object in a transaction does. If so, the object gets the time of now.
  ///
  /// A quick look, which runs no SQL: false where it takes more to tell.
  func keepsCurrent(_ object: ObjectBase) -> Bool { false }

  /// Brings the object up to date, if the file has changed since it was last read.
  func refresh(_ object: ObjectBase, slot: _PropertySlot) { mustOverride(self) }

  /// Hears that a property is read, before it is brought up to date; only where reads are tracked.
  func noteRead(_ object: ObjectBase, slot: _PropertySlot) { mustOverride(self) }

  /// Prepares for the change of a property; false when the change is refused.
  func willWrite(_ object: ObjectBase, slot: _PropertySlot) -> Bool { mustOverride(self) }

  /// Whether the object's row is still there.
  func isPresent(_ object: ObjectBase) -> Bool { mustOverride(self) }

  /// Whether another context shows the same file, and neither of them one version for good.
  func sharesFile(with other: ManagedContext) -> Bool { mustOverride(self) }

  /// What all contexts that show the same file have in common, and no others; nil outside of files.
  var file: ObjectIdentifier? { nil }

  /// Notes a mistake in data that was found where nothing can be thrown.
  func note(_ error: RealmError) { mustOverride(self) }

  /// The object of a row; nil when it was deleted.
  func linkedObject(_ type: ObjectBase.Type, row: Int64) -> ObjectBase? { mustOverride(self) }

  /// The object of a row of the class with this name; nil when there is none.
  func linkedObject(className: String, row: Int64) -> ObjectBase? { mustOverride(self) }

  /// Changes a link, and adds its target if that is unmanaged.
  func setLink(_ slot: _PropertySlot, of owner: ObjectBase, to target: ObjectBase?) {
    mustOverride(self)
  }

  /// What a property of type `AnyRealmValue` keeps of an object, which is added if it is unmanaged.
  ///
  /// - Throws: ``RealmError`` with code `fail` for an object that it can't lead to.
  func element(
    linkingTo object: ObjectBase, from owner: ObjectBase, _ slot: _PropertySlot
  ) throws(RealmError) -> _StoredElement { mustOverride(self) }

  /// The rows of a collection of an object.
  func rows(of owner: ObjectBase, _ slot: _PropertySlot) -> _CollectionRows? { mustOverride(self) }
}

/// A property of a row, or the collection of one.
struct NestedKey: Hashable {
  /// The class, or the table of the collection.
  var name: String
  var row: Int64
  /// The property; none of the class for a collection.
  var slot: _PropertySlot
}

/// A weak reference to the holder of a nested value, for collections that find holders again.
struct WeakHolder {
  weak var holder: AnyObject?

  /// Whether a collection that has grown to so many forgets those that are gone, before it grows
  /// further.
  ///
  /// At powers of two: looking through all of them then costs each addition a few steps on average.
  static func isTimeToForget(_ count: Int) -> Bool { count >= 32 && count.nonzeroBitCount == 1 }
}

/// The context of an object that was given a value which doesn't fit; adding it throws the reason.
final class FaultyContext: ManagedContext {
  let error: RealmError

  init(_ error: RealmError) {
    self.error = error
    super.init(clock: StampClock())
  }
}

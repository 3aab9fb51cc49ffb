import StrataRealmFile
import StrataSchema
import StrataStorage

/// The findings of a conversion, and the embedded objects that have a parent.
final class ConversionNotes {
  /// Findings that a choice changes or omits.
  private(set) var settled = ConversionFindings()
  /// Findings that make the conversion impossible.
  private(set) var refused = ConversionFindings()
  /// The identities of objects that have a parent, by embedded class.
  private var children: [String: RowSet] = [:]

  /// The identity of the object that is being converted; nil between classes.
  var identity: Int64?
  private let didSettle: (@Sendable (ConversionFinding, Int64) -> Void)?

  init(_ didSettle: (@Sendable (ConversionFinding, Int64) -> Void)? = nil) {
    self.didSettle = didSettle
  }

  /// Whether nothing more is written.
  private(set) var isRefused = false

  private func settle(_ finding: ConversionFinding) {
    settled.record(finding)
    if let didSettle, let identity { didSettle(finding, identity) }
  }

  func refuse(_ finding: ConversionFinding) {
    isRefused = true
    refused.record(finding)
  }

  /// Records a finding for which there may be a choice.
  ///
  /// - Parameter isSettled: Whether a choice was made.
  func record(_ finding: ConversionFinding, isSettled: Bool) {
    if isSettled { settle(finding) } else { refuse(finding) }
  }

  /// Records that an object has a parent.
  ///
  /// - Returns: False if it had one already.
  func adopt(_ className: String, _ identity: Int64) -> Bool {
    children[className, default: RowSet()].insert(identity)
  }

  func children(of className: String) -> RowSet { children[className] ?? RowSet() }
}

/// The context that the converters of all classes of a file share.
struct ConversionContext {
  let choices: ConversionChoices
  let notes: ConversionNotes
  /// The objects of each class that links can lead to.
  var keys: [String: ObjectKeys] = [:]
  /// The classes of embedded objects.
  let embedded: Set<String>
}

/// The objects of a class, and their new identities.
///
/// Realm counts the objects of a class from 0: key 4 gets identity 5. In files before format 22,
/// keys of a class with a primary key are derived from the primary key, and can be any number up to
/// 2⁶². Such keys get identities after the other ones, in the order of the keys. So identities
/// always have the order of the keys, and stay far below SQLite's greatest integer.
struct ObjectKeys {
  /// The least key whose identity isn't derived from the key.
  private let bound: Int64
  private var small = RowSet()
  /// The large keys, ascending.
  private var large: [Int64] = []

  /// - Parameter count: The number of objects of the class. Memory grows with this number, up to 8
  ///   bytes for each object.
  init(count: Int) { bound = Self.bound(count: count) }

  static func bound(count: Int) -> Int64 { 64 * Int64(count) + 65_536 }

  var count: Int { small.count + large.count }

  /// Adds the next key. Returns the identity of its object. Keys must be added in ascending order.
  @inline(__always)
  mutating func append(_ key: Int64) -> Int64 {
    guard key >= bound else {
      small.insert(key)
      return key + 1
    }
    large.append(key)
    return bound + Int64(large.count)
  }

  /// Returns the identity of the object with a key; nil if there is no such object.
  @inline(__always)
  func identity(of key: Int64) -> Int64? {
    guard key >= bound else { return small.contains(key) ? key + 1 : nil }
    let place = large.indices.bisected { large[$0] < key }
    return place < large.count && large[place] == key ? bound + Int64(place) + 1 : nil
  }

  func key(of identity: Int64) -> Int64 {
    identity <= bound ? identity - 1 : large[Int(identity - bound) - 1]
  }

  /// Returns the keys of the objects whose identity is not in a set.
  func keys(without others: RowSet) -> [Int64] {
    (small.members + large).filter { key in
      identity(of: key).map { !others.contains($0) } ?? false
    }
  }
}

extension RealmRows {
  /// Returns the key of the cursor's present object. Realm's keys are not negative.
  @inline(__always)
  func soundKey() throws(RealmFileError) -> Int64 {
    let key = key
    guard key >= 0 else {
      throw .damaged("an object has a negative key", at: nil)
        .at(className: realmClass.name, objectKey: key)
    }
    return key
  }
}

/// A counter of the identities of a class, which are the same as in ``ObjectKeys``, but are not
/// stored.
struct IdentityCounter {
  private let bound: Int64
  private var large: Int64 = 0

  init(count: Int) { bound = ObjectKeys.bound(count: count) }

  @inline(__always)
  mutating func next(_ key: Int64) -> Int64 {
    guard key >= bound else { return key + 1 }
    large += 1
    return bound + large
  }
}

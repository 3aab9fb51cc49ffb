import StrataRealmFile
import StrataStorage

/// The objects of a class, and which identity each gets.
///
/// Realm counts the objects of a class from 0: key 4 gets identity 5. In files from before format
/// 22 keys of a class with a primary key are made from it, and can be anything up to 2⁶²: those get
/// numbers behind the others, in their order. So identities always follow the order of keys, and no
/// class begins near the end of SQLite's numbers.
struct ObjectKeys {
  /// Keys that are at least this have identities of their own.
  private let bound: Int64
  private var small = RowSet()
  /// Ascending.
  private var large: [Int64] = []

  /// - Parameter count: How many objects the class has. Memory grows with it: up to 8 bytes for
  ///   each.
  init(count: Int) { bound = Self.bound(count: count) }

  /// The bound of a class with so many objects.
  static func bound(count: Int) -> Int64 { 64 * Int64(count) + 65_536 }

  var count: Int { small.count + large.count }

  /// Takes the next key, and says which identity its object gets. Keys come in ascending order.
  @inline(__always)
  mutating func append(_ key: Int64) -> Int64 {
    guard key >= bound else {
      small.insert(key)
      return key + 1
    }
    large.append(key)
    return bound + Int64(large.count)
  }

  /// The identity of the object with a key; nil if there is none.
  @inline(__always)
  func identity(of key: Int64) -> Int64? {
    guard key >= bound else { return small.contains(key) ? key + 1 : nil }
    var range = 0..<large.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if large[middle] == key { return bound + Int64(middle) + 1 }
      range = large[middle] < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// The key of the object that got an identity.
  func key(of identity: Int64) -> Int64 {
    identity <= bound ? identity - 1 : large[Int(identity - bound) - 1]
  }

  /// The keys of the objects whose identity is not among others.
  func keys(without others: RowSet) -> [Int64] {
    (small.members + large).filter { key in
      identity(of: key).map { !others.contains($0) } ?? false
    }
  }
}

extension RealmRows {
  /// The key of the object at which the cursor is. Realm's keys are not negative.
  @inline(__always)
  func soundKey() throws(RealmFileError) -> Int64 {
    let key = key
    guard key >= 0 else {
      throw RealmFileError(
        .damaged, "The file is damaged: an object has a negative key",
        repair: "Read a backup of the file, or a copy that Realm makes with 'writeCopy'.",
        place: .init(className: realmClass.name, objectKey: key))
    }
    return key
  }
}

/// A counter that gives identities to the objects of a class one after the other, as ``ObjectKeys``
/// do, without keeping them.
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

public import Foundation

/// A cursor over the objects of a class, which reads single values without creating objects.
///
/// The cursor passes over the objects in the order of their keys, and reads properties by their
/// positions in ``RealmClass/properties``. The cursor reads only the requested values, and its
/// memory doesn't grow with the number of objects.
///
/// ```swift
/// let rows = try file.rows("Person")
/// let name = try rows.realmClass.position(of: "name")
/// while try rows.next() {
///   print(rows.key, try rows.string(name) ?? "no name")
/// }
/// ```
///
/// A cursor is used by one thread at a time.
public final class RealmRows {
  /// The class of the objects.
  public var realmClass: RealmClass { table.info }

  let file: OpenFile
  let table: Table
  let pass: Pass
  private var walker: ClusterWalker
  private var cluster: Cluster?
  private var objectCount = 0
  private(set) var position = -1
  private let leaves: Leaves
  /// The collections of the object that were read already.
  private var readCollections: [Int] = []

  init(_ file: OpenFile, _ table: Table, _ pass: Pass) {
    self.file = file
    self.table = table
    self.pass = pass
    walker = ClusterWalker(root: table.root)
    leaves = Leaves(count: table.columns.count)
  }

  /// Creates a cursor at one object; nil if the object is missing.
  init?(_ file: OpenFile, _ table: Table, at key: Int64) throws(RealmFileError) {
    self.file = file
    self.table = table
    walker = ClusterWalker(root: nil)
    leaves = Leaves(count: table.columns.count)
    do throws(RealmFileError) {
      pass = try file.pass()
      guard let cluster = try pass.cluster(of: key, root: table.root),
        let index = cluster.position(of: key)
      else { return nil }
      position = index
      // There is no next object.
      objectCount = index + 1
      self.cluster = cluster
    } catch {
      throw file.located(error, table)
    }
  }

  /// Moves to the next object.
  ///
  /// - Returns: Whether the object exists.
  /// - Throws: ``RealmFileError``, for example if the file is damaged. Then the cursor is at no
  ///   object.
  public func next() throws(RealmFileError) -> Bool {
    if !readCollections.isEmpty { readCollections.removeAll(keepingCapacity: true) }
    position += 1
    return position < objectCount ? true : try nextCluster()
  }

  private func nextCluster() throws(RealmFileError) -> Bool {
    cluster = nil
    objectCount = 0
    position = -1
    leaves.close()
    do throws(RealmFileError) {
      guard let next = try walker.next(in: pass) else {
        if file.bytes.hasChanged { throw .changed }
        return false
      }
      cluster = next
      objectCount = next.count
      position = 0
      return true
    } catch {
      walker = ClusterWalker(root: nil)
      throw file.located(error, table)
    }
  }

  /// The key of the object, which is unique in its class and never changes. Links store it.
  ///
  /// - Precondition: The last call of ``next()`` returned true.
  public var key: Int64 {
    guard let cluster, position >= 0 else { preconditionFailure("The cursor is at no object.") }
    return cluster.key(position)
  }

  /// Reads from the leaf of a column, which is opened once for each cluster.
  @inline(__always)
  func read<Value>(
    _ column: Int, _ body: (Leaf, Int) throws(RealmFileError) -> Value
  ) throws(RealmFileError) -> Value {
    let position = position
    do throws(RealmFileError) {
      guard position >= 0 else { throw .noObject }
      let open = if let leaf = leaves.opened(column) { leaf } else { try openLeaf(column) }
      return try open._withUnsafeGuaranteedRef { leaf -> Result<Value, RealmFileError> in
        do throws(RealmFileError) {
          return .success(try body(leaf, position))
        } catch {
          return .failure(error)
        }
      }.get()
    } catch {
      throw located(error, column)
    }
  }

  /// Reads a value of one type, or nil.
  @inline(__always)
  private func read<Value>(
    _ column: Int, _ type: RealmPropertyType, _ pick: (FileValue) -> Value?
  ) throws(RealmFileError) -> Value? {
    try read(column) { leaf, index throws(RealmFileError) in
      try leaf.value(index, as: type, in: pass, pick)
    }
  }

  private func openLeaf(_ column: Int) throws(RealmFileError) -> Unmanaged<Leaf> {
    guard table.columns.indices.contains(column) else {
      throw RealmFileError(
        .unknownProperty, "The class has no property at position \(column)",
        repair: "It has \(table.columns.count) properties. 'position(of:)' finds one by its name.")
    }
    guard let cluster else { throw .noObject }
    let item = table.columns[column]
    let leaf = try Leaf.open(
      cluster.leaf(item.leafIndex),
      item.content(distinctTexts: leaves.distinctTexts(item, in: pass)),
      count: cluster.count, in: pass)
    return leaves.open(column, leaf)
  }

  private func located(_ error: RealmFileError, _ column: Int) -> RealmFileError {
    let property =
      table.columns.indices.contains(column) ? table.columns[column].property.name : nil
    return file.located(
      error, table, property: property, key: position >= 0 ? cluster?.key(position) : nil)
  }

  /// Returns a cursor over the elements of a list, a set or a dictionary.
  ///
  /// - Throws: ``RealmFileError`` with code `wrongType` for a single value, and other codes if the
  ///   file is damaged.
  public func elements(_ column: Int) throws(RealmFileError) -> RealmElements {
    let root = try read(column) { leaf, index throws(RealmFileError) in
      try leaf.collection(index, in: pass)
    }
    return try elements(
      column, root: root, table.columns[column].property.collection ?? .list, depth: 0)
  }

  /// Whether a list, a set or a dictionary has an array of elements. Without it, the collection is
  /// empty.
  package func hasElements(_ column: Int) throws(RealmFileError) -> Bool {
    try read(column) { leaf, index throws(RealmFileError) in
      try leaf.collection(index, in: pass) != nil
    }
  }

  /// Returns a cursor over a collection, which may have been read before at this object.
  func elements(
    _ column: Int, root: Int?, _ kind: RealmCollectionKind, depth: Int
  ) throws(RealmFileError) -> RealmElements {
    do throws(RealmFileError) {
      var pass = pass
      if let root {
        if readCollections.contains(root) { pass = try Pass(again: pass) }
        readCollections.append(root)
      }
      return RealmElements(
        .init(file: file, table: table, column: table.columns[column], objectKey: key), kind,
        root: root, depth: depth, in: pass)
    } catch {
      throw located(error, column)
    }
  }

  /// The number of strings with invalid UTF-8, which was replaced by U+FFFD.
  public var repairedTexts: Int { pass.repairedTexts }
}

/// Single values. Each method is for one type; ``value(_:)`` is for all of them.
///
/// All take the position of a property in ``RealmClass/properties``, and throw ``RealmFileError``:
/// with code `wrongType` for a property of another type, with `unknownProperty` for an invalid
/// position, with `noObject` before the first and after the last object, and with other codes if
/// the file is damaged.
extension RealmRows {
  /// Returns an integer, or nil.
  public func int(_ column: Int) throws(RealmFileError) -> Int64? {
    try read(column, .int) { $0.int }
  }

  /// Returns a Boolean value, or nil.
  public func bool(_ column: Int) throws(RealmFileError) -> Bool? {
    try read(column, .bool) { $0.bool }
  }

  /// Returns a `Float`, or nil.
  public func float(_ column: Int) throws(RealmFileError) -> Float? {
    try read(column, .float) { $0.float }
  }

  /// Returns a `Double`, or nil.
  public func double(_ column: Int) throws(RealmFileError) -> Double? {
    try read(column, .double) { $0.double }
  }

  /// Returns a date, or nil.
  public func date(_ column: Int) throws(RealmFileError) -> RealmDate? {
    try read(column, .date) { $0.date }
  }

  /// Returns a decimal number, or nil.
  public func decimal(_ column: Int) throws(RealmFileError) -> RealmDecimal? {
    try read(column, .decimal) { $0.decimal }
  }

  /// Returns an `ObjectId`, or nil.
  public func objectId(_ column: Int) throws(RealmFileError) -> RealmObjectId? {
    try read(column, .objectId) { $0.objectId }
  }

  /// Returns a `UUID`, or nil.
  public func uuid(_ column: Int) throws(RealmFileError) -> UUID? {
    try read(column, .uuid) { $0.uuid }
  }

  /// Returns a string, or nil. Invalid UTF-8 is replaced by U+FFFD, and ``repairedTexts`` counts
  /// the string.
  public func string(_ column: Int) throws(RealmFileError) -> String? {
    try read(column, .string) { $0.string }.map { pass.string($0) }
  }

  /// Returns data, or nil.
  public func data(_ column: Int) throws(RealmFileError) -> Data? {
    try read(column, .data) { $0.data }.map { Data($0) }
  }

  /// Calls a closure with the bytes of a string or of data, without a copy, or with nil.
  ///
  /// The bytes of a string are UTF-8 if the program that wrote them observed Realm's rule, which
  /// isn't checked here.
  ///
  /// - Parameters:
  ///   - column: The position of the property.
  ///   - body: A closure with the bytes, which are valid until it returns.
  public func withBytes<Result>(
    _ column: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    try body(bytes(column))
  }

  /// Returns the bytes of a string or of data, valid until the cursor reads or moves, or nil.
  package func bytes(_ column: Int) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    try read(column) { leaf, index throws(RealmFileError) in try leaf.bytes(index, in: pass) }
  }

  /// Returns a string as UTF-8, valid until the cursor reads or moves, or nil.
  ///
  /// Invalid UTF-8 is replaced by U+FFFD, and ``repairedTexts`` counts the string. Other strings
  /// aren't copied.
  package func utf8(_ column: Int) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    try read(column) { leaf, index throws(RealmFileError) in
      let bytes = try leaf.value(index, as: .string, in: pass) { $0.string }
      return if let bytes { try pass.utf8(bytes) } else { nil }
    }
  }

  /// Returns the key of the linked object of ``RealmProperty/target``, or nil.
  ///
  /// Links to objects that are missing from a synchronized file are nil.
  public func link(_ column: Int) throws(RealmFileError) -> Int64? {
    try read(column) { leaf, index throws(RealmFileError) in
      guard leaf.type == .object else {
        throw .wrongType(leaf.typeName, "link")
      }
      return try leaf.value(index, as: .object, in: pass) { $0.link?.key }
    }
  }

  /// Returns a value of any type, with all elements of a collection.
  ///
  /// - Throws: ``RealmFileError``, also with code `limitExceeded` if a collection takes more memory
  ///   than ``RealmFileLimits`` allow.
  public func value(_ column: Int) throws(RealmFileError) -> RealmValue {
    let found = try read(column) { leaf, index throws(RealmFileError) in
      try FoundValue(leaf, index, table.columns[column], file, in: pass)
    }
    switch found {
    case .single(let value): return value
    case .collection(let kind, let root):
      let isMixed = table.columns[column].property.collection == nil
      return try elements(column, root: root, kind, depth: isMixed ? 1 : 0).values()
    }
  }
}

/// A cursor over the objects of a class, which reads single values without making objects.
///
/// It goes through the objects in the order of their keys, and reads properties by their positions
/// in ``RealmClass/properties``. What isn't asked for isn't read; the memory doesn't grow with the
/// number of objects.
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
  /// The class whose objects these are.
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

  /// A cursor at one object; nil if it isn't there.
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
      // There is no next one.
      objectCount = index + 1
      self.cluster = cluster
    } catch {
      throw file.located(error, table)
    }
  }

  /// Goes to the next object.
  ///
  /// - Returns: Whether there is one.
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

  /// A cursor over the elements of a list, a set or a dictionary.
  ///
  /// - Throws: ``RealmFileError`` with code `wrongType` for a single value, and others if the file
  ///   is damaged.
  public func elements(_ column: Int) throws(RealmFileError) -> RealmElements {
    let root = try read(column) { leaf, index throws(RealmFileError) in
      try leaf.collection(index)
    }
    return try elements(
      column, root: root, table.columns[column].property.collection ?? .list, depth: 0)
  }

  /// Whether a list, a set or a dictionary has an array of elements, without which it is empty.
  package func hasElements(_ column: Int) throws(RealmFileError) -> Bool {
    try read(column) { leaf, index throws(RealmFileError) in
      try leaf.collection(index) != nil
    }
  }

  /// A cursor over a collection, which may have been read before while the cursor was at this
  /// object.
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

  /// How many texts had bytes that are no UTF-8, and were read with U+FFFD in their place.
  public var repairedTexts: Int { pass.repairedTexts }
}

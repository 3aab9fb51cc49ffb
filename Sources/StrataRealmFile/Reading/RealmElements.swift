/// A cursor over the elements of a list, a set or a dictionary, in the order of the file.
///
/// ```swift
/// let tags = try rows.elements(column)
/// while try tags.next() {
///   print(try tags.string() ?? "none")
/// }
/// ```
///
/// Links to objects that a synchronised file doesn't have are left out of lists and sets of objects. A cursor is used by
/// one thread at a time, and may be used after the cursor of the objects has moved.
public final class RealmElements {
  /// Where the collection is.
  struct Owner {
    let file: OpenFile
    let table: Table
    let column: Column
    let objectKey: Int64
  }

  private enum Source {
    case empty
    case values(LeafRun)
    case entries(keys: LeafRun, values: LeafRun)
    /// A dictionary from before format 23.
    case clusters(OldEntries)
    /// A dictionary that isn't open yet.
    case dictionary(Int)
  }

  /// The deepest that Realm allows collections to be nested.
  static let deepest = 100

  /// The kind of the collection.
  public let kind: RealmCollection

  let owner: Owner
  let pass: Pass
  let depth: Int
  private var source: Source
  private var isAtElement = false
  /// The collection of this element that was read already.
  private var readCollection: Int?

  var file: OpenFile { owner.file }
  var column: Column { owner.column }

  /// - Parameter depth: How many collections this one is in, of mixed values.
  init(_ owner: Owner, _ kind: RealmCollection, root: Int?, depth: Int, in pass: Pass) {
    self.owner = owner
    self.kind = kind
    self.depth = depth
    self.pass = pass
    switch (root, kind) {
    case (nil, _): source = .empty
    case (let root?, .dictionary): source = .dictionary(root)
    case (let root?, _):
      source = .values(
        LeafRun(
          root: root, depth == 0 ? owner.column.elementContent : LeafContent.mixed))
    }
  }

  /// Goes to the next element.
  ///
  /// - Returns: Whether there is one.
  /// - Throws: ``RealmFileError``, for example if the file is damaged. Then the cursor is at its end.
  public func next() throws(RealmFileError) -> Bool {
    readCollection = nil
    isAtElement = false
    do throws(RealmFileError) {
      isAtElement = try advance()
      return isAtElement
    } catch {
      source = .empty
      throw located(error)
    }
  }

  private func advance() throws(RealmFileError) -> Bool {
    switch source {
    case .empty: return false
    case .values(var run):
      defer { source = .values(run) }
      while try run.next(in: pass) {
        guard let leaf = run.leaf, leaf.kind == .links,
          let key = try leaf.link(run.index, in: pass)?.key, key < 0
        else { return true }
        // An object that is not there.
        guard key < -1 else { throw .damaged("a collection has a link to nothing", at: nil) }
      }
      return false
    case .entries(var keys, var values):
      defer { source = .entries(keys: keys, values: values) }
      let hasKey = try keys.next(in: pass)
      guard try values.next(in: pass) == hasKey else {
        throw .damaged("a dictionary has another number of keys than of values", at: nil)
      }
      return hasKey
    case .clusters(var entries):
      defer { source = .clusters(entries) }
      return try entries.next(in: pass)
    case .dictionary(let root):
      source = try entries(of: root)
      return try advance()
    }
  }

  private func entries(of root: Int) throws(RealmFileError) -> Source {
    if file.schema.hasOldDictionaries { return .clusters(OldEntries(root: root)) }
    let parts = try pass.refs(root)
    return .entries(
      keys: LeafRun(root: try parts.required(0), .texts),
      values: LeafRun(root: try parts.required(1), .mixed))
  }

  /// The key of an entry of a dictionary.
  ///
  /// - Throws: ``RealmFileError`` with code `wrongType` if this is no dictionary, and others if the file is damaged.
  public func key() throws(RealmFileError) -> String { pass.string(try keyBytes()) }

  /// The bytes of the key, which are valid until the cursor reads or moves.
  package func keyBytes() throws(RealmFileError) -> UnsafeRawBufferPointer {
    do throws(RealmFileError) {
      guard isAtElement else { throw .noObject }
      let bytes: UnsafeRawBufferPointer?
      switch source {
      case .entries(let keys, _): bytes = try keys.leaf?.text(keys.index, in: pass)
      case .clusters(let entries): bytes = try entries.keys?.text(entries.index, in: pass)
      default: throw .wrongType(kind.rawValue, "key")
      }
      guard let bytes else { throw .damaged("an entry of a dictionary has no key", at: nil) }
      return bytes
    } catch {
      throw located(error)
    }
  }

  /// Reads from the leaf that the cursor is in.
  @inline(__always)
  func read<Value>(
    _ body: (Leaf, Int) throws(RealmFileError) -> Value
  ) throws(RealmFileError) -> Value {
    do throws(RealmFileError) {
      guard isAtElement else { throw .noObject }
      switch source {
      case .values(let run), .entries(_, let run):
        guard let leaf = run.leaf else { throw .noObject }
        return try checked(leaf, run.index, body)
      case .clusters(let entries):
        guard let leaf = entries.values else { throw .noObject }
        return try checked(leaf, entries.index, body)
      case .empty, .dictionary: throw .noObject
      }
    } catch {
      throw located(error)
    }
  }

  /// A dictionary whose values have another type than its own is damaged.
  @inline(__always)
  private func checked<Value>(
    _ leaf: Leaf, _ index: Int, _ body: (Leaf, Int) throws(RealmFileError) -> Value
  ) throws(RealmFileError) -> Value {
    do throws(RealmFileError) {
      return try body(leaf, index)
    } catch {
      if error.code == .wrongType, leaf.kind == .mixed {
        try unsafeDowncast(leaf, to: MixedLeaf.self).item(index, in: pass).expectType(of: column)
      }
      throw error
    }
  }

  /// A cursor over the collection that this element is.
  func nested(_ kind: RealmCollection, root: Int?) throws(RealmFileError) -> RealmElements {
    do throws(RealmFileError) {
      guard depth < Self.deepest else {
        throw .damaged("more than \(Self.deepest) collections are in each other", at: root)
      }
      let isRead = root != nil && root == readCollection
      readCollection = root
      return RealmElements(
        owner, kind, root: root, depth: depth + 1, in: isRead ? try Pass(again: pass) : pass)
    } catch {
      throw located(error)
    }
  }

  private func located(_ error: RealmFileError) -> RealmFileError {
    file.located(
      error, owner.table, property: column.property.name, key: owner.objectKey)
  }
}

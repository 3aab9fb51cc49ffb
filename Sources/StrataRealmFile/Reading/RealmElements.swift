public import Foundation

/// A cursor over the elements of a list, a set or a dictionary, in the order of the file.
///
/// ```swift
/// let tags = try rows.elements(column)
/// while try tags.next() {
///   print(try tags.string() ?? "none")
/// }
/// ```
///
/// Links to objects that are missing from a synchronized file are omitted from lists and sets of
/// objects. A cursor is used by one thread at a time, and may be used after the cursor of the
/// objects has moved.
public final class RealmElements {
  struct Owner {
    let file: OpenFile
    let table: Table
    let column: Column
    let objectKey: Int64
  }

  /// The greatest depth of nested collections in Realm.
  static let maxDepth = 100

  /// The kind of the collection.
  public let kind: RealmCollectionKind

  let owner: Owner
  let pass: Pass
  let depth: Int
  /// The elements; nil after the last one.
  private var source: ElementSource?
  /// The ref of a dictionary that isn't open yet.
  private var dictionary: Int?
  private var isAtElement = false
  /// The collection of this element, if it was read already.
  private var readCollection: Int?

  /// Whether this is a list or a set of objects, whose keys may belong to missing objects.
  private let hasKeysOfObjects: Bool

  var file: OpenFile { owner.file }
  var column: Column { owner.column }

  /// - Parameters:
  ///   - root: The ref of the collection; nil for an empty one.
  ///   - depth: The number of enclosing collections of mixed values.
  init(_ owner: Owner, _ kind: RealmCollectionKind, root: Int?, depth: Int, in pass: Pass) {
    self.owner = owner
    self.kind = kind
    self.depth = depth
    self.pass = pass
    hasKeysOfObjects =
      depth == 0 && kind != .dictionary && owner.column.property.type == .object
    guard let root else { return }
    if kind == .dictionary {
      dictionary = root
    } else {
      source = TreeSource(root: root, depth == 0 ? owner.column.elementContent : LeafContent.mixed)
    }
  }

  /// Moves to the next element.
  ///
  /// - Returns: Whether the element exists.
  /// - Throws: ``RealmFileError``, for example if the file is damaged. Then the cursor is at its
  ///   end.
  public func next() throws(RealmFileError) -> Bool {
    readCollection = nil
    isAtElement = false
    do throws(RealmFileError) {
      if let dictionary { try openDictionary(dictionary) }
      guard let source else { return false }
      isAtElement = try next(of: source)
      return isAtElement
    } catch {
      source = nil
      throw located(error)
    }
  }

  private func next(of source: ElementSource) throws(RealmFileError) -> Bool {
    while try source.next(in: pass) {
      guard hasKeysOfObjects,
        let key = try source.openLeaf?.takeUnretainedValue()
          .value(source.index, as: .object, in: pass, { $0.link?.key }),
        key < 0
      else { return true }
      // A missing object.
      guard key < -1 else { throw .damaged("a collection has a link to nothing", at: nil) }
    }
    self.source = nil
    return false
  }

  private func openDictionary(_ root: Int) throws(RealmFileError) {
    dictionary = nil
    source =
      file.schema.hasOldDictionaries
      ? OldEntrySource(root: root) : try EntrySource(pass.refs(root))
  }

  /// Returns the key of an entry of a dictionary.
  ///
  /// - Throws: ``RealmFileError`` with code `wrongType` if this is no dictionary, and other codes
  ///   if the file is damaged.
  public func key() throws(RealmFileError) -> String { pass.string(try keyBytes()) }

  /// Returns the bytes of the key, valid until the cursor reads or moves.
  package func keyBytes() throws(RealmFileError) -> UnsafeRawBufferPointer {
    do throws(RealmFileError) {
      guard isAtElement, let source else { throw .noObject }
      guard kind == .dictionary else { throw .wrongType(kind.rawValue, "key") }
      guard let bytes = try source.key(in: pass) else {
        throw .damaged("an entry of a dictionary has no key", at: nil)
      }
      return bytes
    } catch {
      throw located(error)
    }
  }

  /// Reads from the present leaf of the cursor.
  @inline(__always)
  func read<Value>(
    _ body: (Leaf, Int) throws(RealmFileError) -> Value
  ) throws(RealmFileError) -> Value {
    do throws(RealmFileError) {
      guard isAtElement, let source, let leaf = source.openLeaf else { throw .noObject }
      let index = source.index
      return try leaf._withUnsafeGuaranteedRef { leaf -> Result<Value, RealmFileError> in
        do throws(RealmFileError) {
          return .success(try checked(leaf, index, body))
        } catch {
          return .failure(error)
        }
      }.get()
    } catch {
      throw located(error)
    }
  }

  /// Reads a value. A dictionary is damaged if its values have another type than its own.
  @inline(__always)
  private func checked<Value>(
    _ leaf: Leaf, _ index: Int, _ body: (Leaf, Int) throws(RealmFileError) -> Value
  ) throws(RealmFileError) -> Value {
    do throws(RealmFileError) {
      return try body(leaf, index)
    } catch {
      if error.code == .wrongType, leaf.type == .mixed {
        try leaf.value(index, in: pass).expectType(of: column)
      }
      throw error
    }
  }

  /// Reads an element of one type, or nil.
  @inline(__always)
  private func read<Value>(
    _ type: RealmPropertyType, _ pick: (FileValue) -> Value?
  ) throws(RealmFileError) -> Value? {
    try read { leaf, index throws(RealmFileError) in
      try leaf.value(index, as: type, in: pass, pick)
    }
  }

  /// Returns a cursor over the collection in this element.
  func nested(_ kind: RealmCollectionKind, root: Int?) throws(RealmFileError) -> RealmElements {
    do throws(RealmFileError) {
      guard depth < Self.maxDepth else {
        throw .damaged("more than \(Self.maxDepth) collections are nested", at: root)
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

/// The value of an element. Each method is for one type; ``value()`` is for all of them.
///
/// All throw ``RealmFileError``: with code `wrongType` if the element has another type, with
/// `noObject` before the first and after the last element, and with other codes if the file is
/// damaged.
extension RealmElements {
  /// Returns an integer, or nil.
  public func int() throws(RealmFileError) -> Int64? {
    try read(.int) { $0.int }
  }

  /// Returns a Boolean value, or nil.
  public func bool() throws(RealmFileError) -> Bool? {
    try read(.bool) { $0.bool }
  }

  /// Returns a `Float`, or nil.
  public func float() throws(RealmFileError) -> Float? {
    try read(.float) { $0.float }
  }

  /// Returns a `Double`, or nil.
  public func double() throws(RealmFileError) -> Double? {
    try read(.double) { $0.double }
  }

  /// Returns a date, or nil.
  public func date() throws(RealmFileError) -> RealmDate? {
    try read(.date) { $0.date }
  }

  /// Returns a decimal number, or nil.
  public func decimal() throws(RealmFileError) -> RealmDecimal? {
    try read(.decimal) { $0.decimal }
  }

  /// Returns an `ObjectId`, or nil.
  public func objectId() throws(RealmFileError) -> RealmObjectId? {
    try read(.objectId) { $0.objectId }
  }

  /// Returns a `UUID`, or nil.
  public func uuid() throws(RealmFileError) -> UUID? {
    try read(.uuid) { $0.uuid }
  }

  /// Returns a string, or nil. Invalid UTF-8 is replaced by U+FFFD.
  public func string() throws(RealmFileError) -> String? {
    try read(.string) { $0.string }.map { pass.string($0) }
  }

  /// Returns data, or nil.
  public func data() throws(RealmFileError) -> Data? {
    try read(.data) { $0.data }.map { Data($0) }
  }

  /// Calls a closure with the bytes of a string or of data, without a copy, or with nil.
  ///
  /// - Parameter body: A closure with the bytes, which are valid until it returns.
  public func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    try body(bytes())
  }

  /// Returns the bytes of a string or of data, valid until the cursor reads or moves, or nil.
  package func bytes() throws(RealmFileError) -> UnsafeRawBufferPointer? {
    try read { leaf, index throws(RealmFileError) in try leaf.bytes(index, in: pass) }
  }

  /// Returns a string as UTF-8, valid until the cursor reads or moves, or nil.
  package func utf8() throws(RealmFileError) -> UnsafeRawBufferPointer? {
    try read { leaf, index throws(RealmFileError) in
      let bytes = try leaf.value(index, as: .string, in: pass) { $0.string }
      return if let bytes { try pass.utf8(bytes) } else { nil }
    }
  }

  /// Returns the key of an entry as UTF-8, valid until the cursor reads or moves.
  package func keyUTF8() throws(RealmFileError) -> UnsafeRawBufferPointer {
    try pass.utf8(keyBytes())
  }

  /// The number of strings with invalid UTF-8 in this pass over the file.
  package var repairedTexts: Int { pass.repairedTexts }

  /// Returns the key of the linked object of ``RealmProperty/target``, or nil.
  public func link() throws(RealmFileError) -> Int64? {
    try read { leaf, index throws(RealmFileError) in
      guard let link = try leaf.value(index, as: .object, in: pass, { $0.link }) else {
        return nil
      }
      guard link.table == nil || link.table == column.targetKey else {
        throw .damaged("a link leads to an object of another class", at: nil)
      }
      return link.key
    }
  }

  /// Returns a value of any type.
  public func value() throws(RealmFileError) -> RealmValue {
    let found = try read { leaf, index throws(RealmFileError) in
      try FoundValue(leaf, index, column, file, in: pass)
    }
    switch found {
    case .single(let value): return value
    case .collection(let kind, let root): return try nested(kind, root: root).values()
    }
  }

  /// Returns the remaining elements as one value.
  func values() throws(RealmFileError) -> RealmValue {
    guard kind == .dictionary else {
      var values: [RealmValue] = []
      while try next() { values.append(try value()) }
      return kind == .list ? .list(values) : .set(values)
    }
    var entries: [RealmEntry] = []
    while try next() { entries.append(RealmEntry(key: try key(), value: try value())) }
    return .dictionary(entries)
  }
}

/// A value that was read, or the location of its collection.
enum FoundValue {
  case single(RealmValue)
  /// The ref of the collection; nil for an empty one.
  case collection(RealmCollectionKind, root: Int?)

  /// Reads a value of a column, or of an element of its collection.
  init(
    _ leaf: Leaf, _ index: Int, _ column: Column, _ file: OpenFile, in pass: Pass
  ) throws(RealmFileError) {
    let value = try leaf.value(index, in: pass)
    if leaf.type == .mixed { try value.expectType(of: column) }
    self =
      switch value {
      case .null: .single(.null)
      case .int(let value): .single(.int(value))
      case .bool(let value): .single(.bool(value))
      case .float(let value): .single(.float(value))
      case .double(let value): .single(.double(value))
      case .string(let bytes): .single(.string(pass.string(bytes)))
      case .data(let bytes): .single(.data(Data(bytes)))
      case .date(let value): .single(.date(value))
      case .decimal(let value): .single(.decimal(value))
      case .objectId(let bytes): .single(.objectId(RealmObjectId(bytes)))
      case .uuid(let bytes): .single(.uuid(UUID(reading: bytes)))
      case .link(let table, let key):
        .single(
          .object(RealmLink(className: try file.target(table, of: column), objectKey: key)))
      case .list(let root):
        .collection(leaf.type == nil ? column.property.collection ?? .list : .list, root: root)
      case .dictionary(let root): .collection(.dictionary, root: root)
      }
  }
}

extension OpenFile {
  /// Returns the class that a link of a column leads to.
  ///
  /// - Parameter table: The key of its table, if the value contains it.
  fileprivate func target(_ table: Int64?, of column: Column) throws(RealmFileError) -> String {
    guard column.targetKey == nil || table == nil || table == column.targetKey,
      let name = (table ?? column.targetKey).flatMap({ schema.names[$0] })
    else { throw .damaged("a link leads to an object of another class", at: nil) }
    return name
  }
}

extension FileValue {
  /// Checks the type of a value of a dictionary. Its values are stored as mixed ones, whatever the
  /// type of the dictionary.
  func expectType(of column: Column) throws(RealmFileError) {
    if case .null = self { return }
    let type = column.property.type
    guard type == .mixed || type.rawValue == typeName else {
      throw .damaged("a value of type '\(typeName)' is in a dictionary of '\(type)'", at: nil)
    }
  }
}

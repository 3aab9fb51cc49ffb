public import Foundation

/// The value of an element. Each method is for one type; ``value()`` is for all of them.
///
/// All throw ``RealmFileError``: with code `wrongType` if the element has another type, with
/// `noObject` before the first and behind the last element, and with others if the file is damaged.
extension RealmElements {
  /// An integer; nil for nil.
  public func int() throws(RealmFileError) -> Int64? {
    try read { leaf, index throws(RealmFileError) in try leaf.int(index, in: pass) }
  }

  /// A Boolean value; nil for nil.
  public func bool() throws(RealmFileError) -> Bool? {
    try read { leaf, index throws(RealmFileError) in try leaf.bool(index, in: pass) }
  }

  /// A `Float`; nil for nil.
  public func float() throws(RealmFileError) -> Float? {
    try read { leaf, index throws(RealmFileError) in try leaf.float(index, in: pass) }
  }

  /// A `Double`; nil for nil.
  public func double() throws(RealmFileError) -> Double? {
    try read { leaf, index throws(RealmFileError) in try leaf.double(index, in: pass) }
  }

  /// A date; nil for nil.
  public func date() throws(RealmFileError) -> RealmDate? {
    try read { leaf, index throws(RealmFileError) in try leaf.date(index, in: pass) }
  }

  /// A decimal number; nil for nil.
  public func decimal() throws(RealmFileError) -> RealmDecimal? {
    try read { leaf, index throws(RealmFileError) in try leaf.decimal(index, in: pass) }
  }

  /// An `ObjectId`; nil for nil.
  public func objectId() throws(RealmFileError) -> RealmObjectId? {
    try read { leaf, index throws(RealmFileError) in try leaf.objectId(index, in: pass) }
  }

  /// A `UUID`; nil for nil.
  public func uuid() throws(RealmFileError) -> UUID? {
    try read { leaf, index throws(RealmFileError) in try leaf.uuid(index, in: pass) }
  }

  /// A text; nil for nil. Bytes that are no UTF-8 become U+FFFD.
  public func string() throws(RealmFileError) -> String? {
    try read { leaf, index throws(RealmFileError) in
      guard let bytes = try leaf.text(index, in: pass) else { return nil }
      return pass.string(bytes)
    }
  }

  /// Data; nil for nil.
  public func data() throws(RealmFileError) -> Data? {
    try read { leaf, index throws(RealmFileError) in
      try leaf.data(index, in: pass).map { Data($0) }
    }
  }

  /// The bytes of a text or of data, without a copy; nil for nil.
  ///
  /// - Parameter body: Gets the bytes, which are valid until it returns.
  public func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    try body(bytes())
  }

  /// The bytes of a text or of data, which are valid until the cursor reads or moves; nil for nil.
  package func bytes() throws(RealmFileError) -> UnsafeRawBufferPointer? {
    try read { leaf, index throws(RealmFileError) in try leaf.bytes(index, in: pass) }
  }

  /// A text as UTF-8, which is valid until the cursor reads or moves; nil for nil.
  package func utf8() throws(RealmFileError) -> UnsafeRawBufferPointer? {
    try read { leaf, index throws(RealmFileError) in
      guard let bytes = try leaf.text(index, in: pass) else { return nil }
      return try pass.utf8(bytes)
    }
  }

  /// The key of an entry as UTF-8, which is valid until the cursor reads or moves.
  package func keyUTF8() throws(RealmFileError) -> UnsafeRawBufferPointer {
    try pass.utf8(keyBytes())
  }

  /// How many texts had bytes that are no UTF-8, in this reading of the file.
  package var repairedTexts: Int { pass.repairedTexts }

  /// The key of the object of ``RealmProperty/target`` that a link leads to; nil for nil.
  public func link() throws(RealmFileError) -> Int64? {
    try read { leaf, index throws(RealmFileError) in
      guard let link = try leaf.link(index, in: pass) else { return nil }
      guard link.table == nil || link.table == column.targetKey else {
        throw .damaged("a link leads to an object of another class", at: nil)
      }
      return link.key
    }
  }

  /// A value of any type.
  public func value() throws(RealmFileError) -> RealmValue {
    let found = try read { leaf, index throws(RealmFileError) in
      try FoundValue(leaf, index, column, file, in: pass)
    }
    switch found {
    case .single(let value): return value
    case .collection(let kind, let root): return try nested(kind, root: root).values()
    }
  }

  /// The rest of the elements as one value.
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

public import Foundation

/// Single values. Each method is for one type; ``value(_:)`` is for all of them.
///
/// All take the position of a property in ``RealmClass/properties``, and throw ``RealmFileError``:
/// with code `wrongType` for a property of another type, with `unknownProperty` for a position that
/// the class doesn't have, with `noObject` before the first and behind the last object, and with
/// others if the file is damaged.
extension RealmRows {
  /// An integer; nil for nil.
  public func int(_ column: Int) throws(RealmFileError) -> Int64? {
    try read(column) { leaf, index throws(RealmFileError) in
      try leaf.int(index, in: pass)
    }
  }

  /// A Boolean value; nil for nil.
  public func bool(_ column: Int) throws(RealmFileError) -> Bool? {
    try read(column) { leaf, index throws(RealmFileError) in
      try leaf.bool(index, in: pass)
    }
  }

  /// A `Float`; nil for nil.
  public func float(_ column: Int) throws(RealmFileError) -> Float? {
    try read(column) { leaf, index throws(RealmFileError) in
      try leaf.float(index, in: pass)
    }
  }

  /// A `Double`; nil for nil.
  public func double(_ column: Int) throws(RealmFileError) -> Double? {
    try read(column) { leaf, index throws(RealmFileError) in
      try leaf.double(index, in: pass)
    }
  }

  /// A date; nil for nil.
  public func date(_ column: Int) throws(RealmFileError) -> RealmDate? {
    try read(column) { leaf, index throws(RealmFileError) in
      try leaf.date(index, in: pass)
    }
  }

  /// A decimal number; nil for nil.
  public func decimal(_ column: Int) throws(RealmFileError) -> RealmDecimal? {
    try read(column) { leaf, index throws(RealmFileError) in
      try leaf.decimal(index, in: pass)
    }
  }

  /// An `ObjectId`; nil for nil.
  public func objectId(_ column: Int) throws(RealmFileError) -> RealmObjectId? {
    try read(column) { leaf, index throws(RealmFileError) in
      try leaf.objectId(index, in: pass)
    }
  }

  /// A `UUID`; nil for nil.
  public func uuid(_ column: Int) throws(RealmFileError) -> UUID? {
    try read(column) { leaf, index throws(RealmFileError) in
      try leaf.uuid(index, in: pass)
    }
  }

  /// A text; nil for nil. Bytes that are no UTF-8 become U+FFFD, and ``repairedTexts`` counts the
  /// text.
  public func string(_ column: Int) throws(RealmFileError) -> String? {
    try read(column) { leaf, index throws(RealmFileError) in
      guard let bytes = try leaf.text(index, in: pass) else { return nil }
      return pass.string(bytes)
    }
  }

  /// Data; nil for nil.
  public func data(_ column: Int) throws(RealmFileError) -> Data? {
    try read(column) { leaf, index throws(RealmFileError) in
      try leaf.data(index, in: pass).map { Data($0) }
    }
  }

  /// The bytes of a text or of data, without a copy; nil for nil.
  ///
  /// Bytes of texts are UTF-8 if the program that wrote them kept Realm's rule, which isn't checked
  /// here.
  ///
  /// - Parameters:
  ///   - column: The position of the property.
  ///   - body: Gets the bytes, which are valid until it returns.
  public func withBytes<Result>(
    _ column: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    try body(bytes(column))
  }

  /// The bytes of a text or of data, which are valid until the cursor reads or moves; nil for nil.
  package func bytes(_ column: Int) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    try read(column) { leaf, index throws(RealmFileError) in
      try leaf.bytes(index, in: pass)
    }
  }

  /// A text as UTF-8, which is valid until the cursor reads or moves; nil for nil.
  ///
  /// Bytes that are no UTF-8 become U+FFFD, and ``repairedTexts`` counts the text. Others aren't
  /// copied.
  package func utf8(_ column: Int) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    try read(column) { leaf, index throws(RealmFileError) in
      guard let bytes = try leaf.text(index, in: pass) else { return nil }
      return try pass.utf8(bytes)
    }
  }

  /// The key of the object of ``RealmProperty/target`` that a link leads to; nil for nil.
  ///
  /// Links to objects that a synchronised file doesn't have are nil.
  public func link(_ column: Int) throws(RealmFileError) -> Int64? {
    try read(column) { leaf, index throws(RealmFileError) in
      guard leaf.kind == .links else {
        throw .wrongType(leaf.typeName, "link")
      }
      return try leaf.link(index, in: pass)?.key
    }
  }

  /// A value of any type, with all elements of a collection.
  ///
  /// - Throws: ``RealmFileError`` with code `limitExceeded` besides, if a collection takes more
  ///   memory than ``RealmFileLimits`` allow.
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

import Foundation

/// The values of one column for some objects, or some elements of a collection.
///
/// Each layout of the file is a subclass, which overrides the methods of its type; the others say
/// that the type is wrong. Opening a leaf checks that everything is there that positions below its
/// count reach, but for texts, data and mixed values, which are checked when they are read. The
/// reader has checked the position.
class Leaf {
  /// The way in which a reader of any type treats a value.
  enum Kind {
    case single, links, mixed, collections
  }

  let count: Int

  init(count: Int) { self.count = count }

  var kind: Kind { .single }

  /// The type of the values, for errors.
  var typeName: String { "value" }

  func int(_ index: Int, in pass: Pass) throws(RealmFileError) -> Int64? {
    throw .wrongType(typeName, "int")
  }

  func bool(_ index: Int, in pass: Pass) throws(RealmFileError) -> Bool? {
    throw .wrongType(typeName, "bool")
  }

  func float(_ index: Int, in pass: Pass) throws(RealmFileError) -> Float? {
    throw .wrongType(typeName, "float")
  }

  func double(_ index: Int, in pass: Pass) throws(RealmFileError) -> Double? {
    throw .wrongType(typeName, "double")
  }

  func date(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmDate? {
    throw .wrongType(typeName, "date")
  }

  func decimal(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmDecimal? {
    throw .wrongType(typeName, "decimal")
  }

  func objectId(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmObjectId? {
    throw .wrongType(typeName, "objectId")
  }

  func uuid(_ index: Int, in pass: Pass) throws(RealmFileError) -> UUID? {
    throw .wrongType(typeName, "uuid")
  }

  /// The bytes of a text, which are valid until the next ones are read.
  func text(_ index: Int, in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    throw .wrongType(typeName, "string")
  }

  /// The bytes of data, which are valid until the next ones are read.
  func data(_ index: Int, in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    throw .wrongType(typeName, "data")
  }

  /// The bytes of a text or of data, which are valid until the next ones are read.
  func bytes(_ index: Int, in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    throw .wrongType(typeName, "bytes")
  }

  /// The key of an object, and of its table if the value has it; nil for nil and for an object that
  /// is not there.
  ///
  /// In a collection the key of an object that is not there is negative.
  func link(
    _ index: Int, in pass: Pass
  ) throws(RealmFileError) -> (key: Int64, table: Int64?)? {
    throw .wrongType(typeName, "link")
  }

  /// The ref of a collection; nil for an empty one.
  func collection(_ index: Int) throws(RealmFileError) -> Int? {
    throw .wrongType(typeName, "elements")
  }

  /// A value of the leaf's type, if it has one: links, mixed values and collections need more than
  /// the leaf knows.
  func value(_ index: Int, in pass: Pass) throws(RealmFileError) -> RealmValue { .null }
}

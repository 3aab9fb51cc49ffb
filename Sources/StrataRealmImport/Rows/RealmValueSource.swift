import Foundation
import StrataRealmFile

/// A value of a file of Realm that is read by its type: of a property, or an element of a
/// collection.
protocol RealmValueSource {
  func int() throws(RealmFileError) -> Int64?
  func bool() throws(RealmFileError) -> Bool?
  func float() throws(RealmFileError) -> Float?
  func double() throws(RealmFileError) -> Double?
  func date() throws(RealmFileError) -> RealmDate?
  func decimal() throws(RealmFileError) -> RealmDecimal?
  func objectId() throws(RealmFileError) -> RealmObjectId?
  func uuid() throws(RealmFileError) -> UUID?
  func utf8() throws(RealmFileError) -> UnsafeRawBufferPointer?
  func bytes() throws(RealmFileError) -> UnsafeRawBufferPointer?
  func link() throws(RealmFileError) -> Int64?
  func value() throws(RealmFileError) -> RealmValue
  /// How many texts were not UTF-8 so far.
  var repairedTexts: Int { get }
}

extension RealmElements: RealmValueSource {}

/// The value of a property of the object at which a cursor is.
struct RealmPropertySource: RealmValueSource {
  let rows: RealmRows
  let column: Int

  func int() throws(RealmFileError) -> Int64? { try rows.int(column) }
  func bool() throws(RealmFileError) -> Bool? { try rows.bool(column) }
  func float() throws(RealmFileError) -> Float? { try rows.float(column) }
  func double() throws(RealmFileError) -> Double? { try rows.double(column) }
  func date() throws(RealmFileError) -> RealmDate? { try rows.date(column) }
  func decimal() throws(RealmFileError) -> RealmDecimal? { try rows.decimal(column) }
  func objectId() throws(RealmFileError) -> RealmObjectId? { try rows.objectId(column) }
  func uuid() throws(RealmFileError) -> UUID? { try rows.uuid(column) }
  func utf8() throws(RealmFileError) -> UnsafeRawBufferPointer? { try rows.utf8(column) }
  func bytes() throws(RealmFileError) -> UnsafeRawBufferPointer? { try rows.bytes(column) }
  func link() throws(RealmFileError) -> Int64? { try rows.link(column) }
  func value() throws(RealmFileError) -> RealmValue { try rows.value(column) }
  var repairedTexts: Int { rows.repairedTexts }
}

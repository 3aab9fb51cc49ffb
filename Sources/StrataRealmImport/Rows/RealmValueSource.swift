import Foundation
import StrataRealmFile

/// A value of a file of Realm that is read by its type: of a property, or an element of a collection.
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
  package let rows: RealmRows
  package let column: Int

  package func int() throws(RealmFileError) -> Int64? { try rows.int(column) }
  package func bool() throws(RealmFileError) -> Bool? { try rows.bool(column) }
  package func float() throws(RealmFileError) -> Float? { try rows.float(column) }
  package func double() throws(RealmFileError) -> Double? { try rows.double(column) }
  package func date() throws(RealmFileError) -> RealmDate? { try rows.date(column) }
  package func decimal() throws(RealmFileError) -> RealmDecimal? { try rows.decimal(column) }
  package func objectId() throws(RealmFileError) -> RealmObjectId? { try rows.objectId(column) }
  package func uuid() throws(RealmFileError) -> UUID? { try rows.uuid(column) }
  package func utf8() throws(RealmFileError) -> UnsafeRawBufferPointer? { try rows.utf8(column) }
  package func bytes() throws(RealmFileError) -> UnsafeRawBufferPointer? { try rows.bytes(column) }
  package func link() throws(RealmFileError) -> Int64? { try rows.link(column) }
  package func value() throws(RealmFileError) -> RealmValue { try rows.value(column) }
  var repairedTexts: Int { rows.repairedTexts }
}

package import Foundation
import StrataRealmFile
import StrataSchema
import StrataStorage

/// The conversion of the values of one property, or of the elements of its collection, to a column.
struct ValueConverter {
  enum Outcome {
    case value, null, link
    /// An element that is left out of the collection.
    case leftOut
  }

  let className: String
  let property: RealmProperty
  /// Whether SQLite refuses NULL.
  let isRequired: Bool
  /// Whether nil is read as an empty text, because Realm may write either of them for a required
  /// value.
  let readsNilAsEmpty: Bool
  /// The column in the rows. An `AnyRealmValue` also uses the next one.
  let column: Int
  let context: ConversionContext
  /// The objects of the class that links lead to, and whether they are embedded.
  let target: (name: String, keys: ObjectKeys, isEmbedded: Bool)?

  init(
    _ property: RealmProperty, of className: String, column: Int,
    _ context: ConversionContext
  ) {
    self.className = className
    self.property = property
    self.column = column
    self.context = context
    isRequired = !property.isOptional && property.type != .object && property.type != .mixed
    readsNilAsEmpty = isRequired && property.collection != .dictionary
    target = property.target.map {
      ($0, context.keys[$0] ?? ObjectKeys(count: 0), context.embedded.contains($0))
    }
  }

  /// - Parameter object: The key of the object with the value.
  @inline(__always)
  func convert(
    _ source: some RealmValueSource, of object: Int64, into rows: RowBuffer
  ) throws -> Outcome {
    switch property.type {
    case .int:
      guard let value = try source.int() else { return null(object, rows) }
      rows.set(column, .integer, value)
    case .bool:
      guard let value = try source.bool() else { return null(object, rows) }
      rows.set(column, .integer, value ? 1 : 0)
    case .float:
      guard let value = try source.float() else { return null(object, rows) }
      return real(Double(value), object, rows)
    case .double:
      guard let value = try source.double() else { return null(object, rows) }
      return real(value, object, rows)
    case .string:
      let repaired = source.repairedTexts
      guard let bytes = try source.utf8() else {
        guard readsNilAsEmpty else { return null(object, rows) }
        rows.set(column, "")
        return .value
      }
      rows.set(column, .text, bytes)
      if source.repairedTexts > repaired { recordInvalidText(object) }
    case .data:
      guard let bytes = try source.bytes() else {
        guard readsNilAsEmpty else { return null(object, rows) }
        rows.set(column, .blob([]))
        return .value
      }
      rows.set(column, .blob, bytes)
    case .date:
      guard let value = try source.date() else { return null(object, rows) }
      return date(value.date, object, rows)
    case .decimal:
      guard let value = try source.decimal() else { return null(object, rows) }
      rows.set(column, Decimal128(value).exactText)
    case .objectId:
      guard let value = try source.objectId() else { return null(object, rows) }
      rows.set(column, value.description)
    case .uuid:
      guard let value = try source.uuid() else { return null(object, rows) }
      rows.set(column, value.uuidString)
    case .object:
      guard let key = try source.link(), let target else { return null(object, rows) }
      return link(key, target.name, target.keys, isEmbedded: target.isEmbedded, object, rows)
    case .mixed: return try mixed(source, object, rows)
    }
    return .value
  }

  func place(_ kind: ConversionFinding.Kind, _ object: Int64) -> ConversionFinding {
    ConversionFinding(
      kind, className: className, property: property.name, objectKey: object)
  }

  func record(_ kind: ConversionFinding.Kind, _ object: Int64, isSettled: Bool) {
    context.notes.record(place(kind, object), isSettled: isSettled)
  }

  func recordInvalidText(_ object: Int64) {
    record(.invalidText, object, isSettled: context.choices.invalidText == .repaired)
  }

  private func null(_ object: Int64, _ rows: RowBuffer) -> Outcome {
    if isRequired { context.notes.refuse(place(.missingValue, object)) }
    rows.set(column, .null, 0)
    return .null
  }

  @inline(__always)
  private func real(_ value: Double, _ object: Int64, _ rows: RowBuffer) -> Outcome {
    guard value.isNaN else {
      rows.set(column, .real(value))
      return .value
    }
    return notANumber(object, rows)
  }

  private func notANumber(_ object: Int64, _ rows: RowBuffer) -> Outcome {
    let choice = context.choices.nan
    record(.nan, object, isSettled: choice == .asNilOrZero || choice == .asNil && !isRequired)
    guard isRequired else {
      rows.set(column, .null, 0)
      return .null
    }
    rows.set(column, .real(0))
    return .value
  }

  private func date(_ value: Date, _ object: Int64, _ rows: RowBuffer) -> Outcome {
    let isWritten = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
      guard let start = buffer.baseAddress else { return false }
      let count = DateText.encode(value, into: start)
      guard count > 0 else { return false }
      rows.set(column, .text, UnsafeRawBufferPointer(start: start, count: count))
      return true
    }
    if isWritten { return .value }
    if let text = DateText.encode(value) {
      rows.set(column, text)
      return .value
    }
    return dateOutOfRange(value, object, rows)
  }

  private func dateOutOfRange(
    _ value: Date, _ object: Int64, _ rows: RowBuffer
  ) -> Outcome {
    let choice = context.choices.dates
    record(.date, object, isSettled: choice == .clamped || choice == .asNil && !isRequired)
    guard choice == .clamped else {
      rows.set(column, .null, 0)
      return .null
    }
    rows.set(column, DateText.nearest(to: value))
    return .value
  }

  private func link(
    _ key: Int64, _ target: String, _ keys: ObjectKeys, isEmbedded: Bool, _ object: Int64,
    _ rows: RowBuffer
  ) -> Outcome {
    guard let identity = keys.identity(of: key) else {
      record(.danglingLink, object, isSettled: context.choices.danglingLinks == .asNil)
      rows.set(column, .null, 0)
      return property.collection == .list || property.collection == .set ? .leftOut : .null
    }
    if isEmbedded, !context.notes.adopt(target, identity) {
      context.notes.refuse(ConversionFinding(.sharedObject, className: target, objectKey: key))
    }
    rows.set(column, .integer, identity)
    return .link
  }

  private func mixed(
    _ source: some RealmValueSource, _ object: Int64, _ rows: RowBuffer
  ) throws -> Outcome {
    let repaired = source.repairedTexts
    let value = try source.value()
    if source.repairedTexts > repaired { recordInvalidText(object) }
    let typeColumn = column + 1
    switch ConvertedValue(value) {
    case .null: break
    case .stored(let stored, let type):
      rows.set(column, stored)
      rows.set(typeColumn, type.rawValue)
      return .value
    case .link(let link):
      let keys = context.keys[link.className] ?? ObjectKeys(count: 0)
      // In a list or a set of `AnyRealmValue` the element stays, as nil.
      guard
        case .link = self.link(
          link.objectKey, link.className, keys,
          isEmbedded: context.embedded.contains(link.className), object, rows)
      else {
        rows.set(typeColumn, .null, 0)
        return .null
      }
      rows.set(typeColumn, _StoredElement.typeName(ofLinkTo: link.className))
      return .link
    case .collection:
      if let nested = nested(value, object), nested != .null {
        rows.set(column, nested.stored)
        rows.set(typeColumn, nested.typeName ?? "")
        return .value
      }
    case .notANumber: _ = notANumber(object, rows)
    case .yearOutOfRange(let date):
      if case .value = dateOutOfRange(date, object, rows) {
        rows.set(typeColumn, PropertyType.date.rawValue)
        return .value
      }
    }
    rows.set(column, .null, 0)
    rows.set(typeColumn, .null, 0)
    return .null
  }
}

extension DateText {
  /// Returns the text of the first or the last date with a text, whichever is nearer.
  package static func nearest(to date: Date) -> String {
    guard date.timeIntervalSinceReferenceDate > 0 else { return "0000-01-01 00:00:00.000000000" }
    return encode(Date(timeIntervalSinceReferenceDate: Double(endSecond).nextDown))
      ?? "9999-12-31 23:59:59.000000000"
  }
}

/// A value of a Realm file that is read by its type: of a property, or an element of a collection.
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
  /// The number of texts with invalid UTF-8 so far.
  var repairedTexts: Int { get }
}

extension RealmElements: RealmValueSource {}

/// The value of a property of a cursor's present object.
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

/// Lists and dictionaries inside an `AnyRealmValue`.
extension ValueConverter {
  /// Returns a collection in the form of a column's text; nil if it becomes nil, or if there is no
  /// choice for it.
  func nested(_ value: RealmValue, _ object: Int64) -> NestedValue? {
    // Realm doesn't write collections as elements of a set.
    guard property.collection != .set else {
      recordNestedCollection(object)
      return nil
    }
    return nested(value, level: 0, object)
  }

  /// - Parameter level: The number of collections around the value.
  private func nested(_ value: RealmValue, level: Int, _ object: Int64) -> NestedValue {
    switch value {
    case .list(let values):
      guard level < NestedValue.maxLevels else { break }
      return .list(values.map { nested($0, level: level + 1, object) })
    case .dictionary(let entries):
      guard level < NestedValue.maxLevels else { break }
      let result = NestedValue.dictionary(
        unordered: entries.map {
          NestedEntry(key: $0.key, value: nested($0.value, level: level + 1, object))
        })
      if case .dictionary(let kept) = result, kept.count < entries.count {
        context.notes.refuse(place(.duplicateKey, object))
      }
      return result
    case .set: break
    default: return single(value, object)
    }
    recordNestedCollection(object)
    return .null
  }

  private func single(_ value: RealmValue, _ object: Int64) -> NestedValue {
    switch ConvertedValue(value) {
    case .null, .collection: return .null
    case .stored(let stored, let type): return .value(stored, type)
    case .link(let link):
      if let identity = context.keys[link.className]?.identity(of: link.objectKey) {
        return .link(className: link.className, row: identity)
      }
      record(.danglingLink, object, isSettled: context.choices.danglingLinks == .asNil)
      return .null
    case .notANumber(let type): return .value(.real(.nan), type)
    case .yearOutOfRange(let date):
      record(.date, object, isSettled: context.choices.dates != nil)
      guard context.choices.dates == .clamped else { return .null }
      return .value(.text(DateText.nearest(to: date)), .date)
    }
  }

  /// Records a set, too many levels, or a collection where none is allowed.
  private func recordNestedCollection(_ object: Int64) {
    record(.nestedCollection, object, isSettled: context.choices.nestedCollections == .asNil)
  }
}

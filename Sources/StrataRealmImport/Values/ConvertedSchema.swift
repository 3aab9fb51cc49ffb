import Foundation
package import StrataRealmFile
package import StrataSchema
import StrataStorage

/// The classes of a Realm file after the conversion: a schema, and the omitted items.
///
/// The schema isn't checked here: see ``problems``.
package struct ConvertedSchema: Hashable {
  package let schema: Schema
  /// The classes and properties that are not converted.
  let omissions: [ConversionFinding]

  /// - Parameters:
  ///   - isSynchronised: Whether the file was synchronized with a server.
  ///   - omitsBookkeeping: Whether to omit the classes of permissions, which RealmSwift 5 added to
  ///     files of programs that named no classes. Otherwise they are ordinary classes in a file
  ///     that is not synchronized.
  init(_ classes: [RealmClass], isSynchronised: Bool, omitsBookkeeping: Bool = false) {
    var omissions: [ConversionFinding] = []
    var kept: [RealmClass] = []
    for item in classes {
      if item.kind == .asymmetric {
        omissions.append(ConversionFinding(.asymmetricClass, className: item.name))
      } else if isSynchronised && item.name.hasPrefix("__")
        || omitsBookkeeping && Self.permissions.contains(item.name)
      {
        omissions.append(ConversionFinding(.bookkeepingClass, className: item.name))
      } else {
        kept.append(item)
      }
    }
    let names = Set(kept.map(\.name))
    var converted: [ObjectSchema] = []
    for item in kept {
      var properties: [Property] = []
      for property in item.properties {
        if let target = property.target, !names.contains(target) {
          omissions.append(
            ConversionFinding(
              .omittedProperty, className: item.name, property: property.name))
        } else {
          properties.append(Property(property))
        }
      }
      converted.append(
        ObjectSchema(
          className: item.name, properties: properties, primaryKey: item.primaryKey,
          isEmbedded: item.kind == .embedded))
    }
    schema = Schema(converted).namingCollections(besides: Schema())
    self.omissions = omissions
  }

  init(_ file: RealmFile, omitsBookkeeping: Bool = false) {
    self.init(
      file.classes, isSynchronised: file.isSynchronised, omitsBookkeeping: omitsBookkeeping)
  }

  private static let permissions: Set<String> = [
    "__Class", "__Permission", "__Realm", "__Role", "__User",
  ]

  /// The reasons why the schema can't be stored in an SQLite file, for example two names that
  /// differ only in case.
  package var problems: [SchemaProblem] { SchemaValidator.problems(in: schema) }
}

extension Property {
  /// Creates the same property. Its column has the name in the Realm file.
  package init(_ property: RealmProperty) {
    self.init(
      name: property.name, type: PropertyType(property.type), objectClassName: property.target,
      collection: property.collection.map { CollectionKind($0) }, isOptional: property.isOptional,
      isIndexed: property.index == .general, hasTextIndex: property.index == .fullText)
  }
}

extension PropertyType {
  package init(_ type: RealmPropertyType) {
    self =
      switch type {
      case .int: .int
      case .bool: .bool
      case .float: .float
      case .double: .double
      case .string: .string
      case .data: .data
      case .date: .date
      case .decimal: .decimal128
      case .objectId: .objectId
      case .uuid: .UUID
      case .mixed: .any
      case .object: .object
      }
  }
}

extension CollectionKind {
  package init(_ collection: RealmCollectionKind) {
    self =
      switch collection {
      case .list: .list
      case .set: .set
      case .dictionary: .map
      }
  }
}

/// The column value for a value of a Realm file.
enum ConvertedValue: Hashable {
  case null
  /// A value in the form that a property of the same type stores.
  case stored(StoredValue, PropertyType)
  /// A link, whose row the converter looks up.
  case link(RealmLink)
  /// A list, a set or a dictionary: rows of a table, or elements of an `AnyRealmValue`.
  case collection
  /// NaN, for which SQLite stores NULL, with its type.
  case notANumber(PropertyType)
  /// A date whose year is outside of 0000 to 9999.
  case yearOutOfRange(Date)

  init(_ value: RealmValue) {
    switch value {
    case .null: self = .null
    case .int(let number): self = .stored(.integer(number), .int)
    case .bool(let isTrue): self = .stored(.integer(isTrue ? 1 : 0), .bool)
    case .float(let number): self.init(real: Double(number), .float)
    case .double(let number): self.init(real: number, .double)
    case .string(let text): self = .stored(.text(text), .string)
    case .data(let bytes): self = .stored(.blob(Array(bytes)), .data)
    case .date(let date):
      // Realm also gives this nearest `Date` to its users, and queries compare texts.
      let date = date.date
      self = DateText.encode(date).map { .stored(.text($0), .date) } ?? .yearOutOfRange(date)
    case .decimal(let number): self = .stored(.text(Decimal128(number).exactText), .decimal128)
    case .objectId(let id): self = .stored(.text(id.description), .objectId)
    case .uuid(let id): self = .stored(.text(id.uuidString), .UUID)
    case .object(let link): self = .link(link)
    case .list, .set, .dictionary: self = .collection
    }
  }

  private init(real number: Double, _ type: PropertyType) {
    self = number.isNaN ? .notANumber(type) : .stored(.real(number), type)
  }
}

extension Decimal128 {
  /// Creates the same number, with the same number of digits.
  package init(_ number: RealmDecimal) {
    if number.isNaN {
      self = .nan
    } else if number.isInfinite {
      self = number.isNegative ? -.infinity : .infinity
    } else {
      // Only a zero that Realm doesn't write has another exponent.
      let exponent = Swift.min(
        Swift.max(number.exponent, Self.leastExponent), Self.greatestExponent)
      self.init(
        Parts(
          isNegative: number.isNegative, coefficient: number.coefficient, exponent: exponent))
    }
  }
}

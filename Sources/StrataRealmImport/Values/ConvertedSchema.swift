package import StrataRealmFile
package import StrataSchema

/// The classes of a Realm file after the conversion: a schema, and the omitted items.
///
/// The schema isn't checked here: see ``problems``.
package struct ConvertedSchema: Hashable {
  /// An item that is not converted.
  enum Omission: Hashable {
    /// A class whose objects Realm only sends to a server: the file contains no such objects.
    case asymmetricClass(String)
    /// A class in which Realm stores internal data for a server.
    case bookkeeping(String)
    /// A property with objects of an omitted class.
    case property(class: String, property: String, target: String)
  }

  package let schema: Schema
  let omissions: [Omission]

  /// - Parameters:
  ///   - classes: The classes of the file.
  ///   - isSynchronised: Whether the file was synchronized with a server.
  ///   - omitsBookkeeping: Whether to omit the classes of permissions, which RealmSwift 5 added to
  ///     files of programs that named no classes. Otherwise they are ordinary classes in a file
  ///     that is not synchronized.
  init(_ classes: [RealmClass], isSynchronised: Bool, omitsBookkeeping: Bool = false) {
    var omissions: [Omission] = []
    var kept: [RealmClass] = []
    for item in classes {
      if item.kind == .asymmetric {
        omissions.append(.asymmetricClass(item.name))
      } else if isSynchronised && item.name.hasPrefix("__")
        || omitsBookkeeping && Self.permissions.contains(item.name)
      {
        omissions.append(.bookkeeping(item.name))
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
            .property(class: item.name, property: property.name, target: target))
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

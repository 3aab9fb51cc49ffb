package import StrataRealmFile
package import StrataSchema

/// The classes of a file of Realm as they will be: a schema, and what is left out of it.
///
/// Nothing is checked: see ``problems``.
package struct ConvertedSchema: Hashable {
  /// A thing that is not converted.
  enum Omission: Hashable {
    /// A class whose objects Realm only sends to a server: the file has none.
    case asymmetricClass(String)
    /// A class in which Realm keeps accounts for a server.
    case bookkeeping(String)
    /// A property that leads to a class that is left out.
    case property(class: String, property: String, target: String)
  }

  package let schema: Schema
  let omissions: [Omission]

  /// - Parameters:
  ///   - classes: The classes of the file.
  ///   - isSynchronised: Whether the file was synchronised with a server.
  ///   - omitsBookkeeping: Whether the classes of permissions are left out, which RealmSwift 5 put
  ///     into files of programs that named no classes. In a file that is not synchronised they are
  ///     ordinary ones otherwise.
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

  /// Why the schema can't be that of a file of SQLite: for example two names that differ only in
  /// case.
  package var problems: [SchemaProblem] { SchemaValidator.problems(in: schema) }
}

extension Property {
  /// The same property. Its column has the name that the file of Realm has.
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

/// The names of the tables of collections.
///
/// The table of `Post.comments` is called `Post_comments`, unless a class has that name: App
/// Services, for example, used such names for the classes of embedded properties. Then it is called
/// `Post_comments_elements`, which is recorded in the schema of the file. The table of a class
/// always has the name of the class.
extension Schema {
  /// Returns the schema with a unique table for each collection, considering the classes and
  /// collections of both the schema and the file.
  ///
  /// A collection keeps its table in the file, unless a class needs the name. So other programs
  /// find the table under the same name, even after a conflicting class was removed.
  package func namingCollections(besides file: Schema) -> Schema {
    var taken = TakenTables(classesOf: [self, file])
    let file = file.stored
    var result = self
    var unnamed: [(className: String, column: String)] = []
    for object in objectSchema {
      for property in object.properties where property.collection != nil {
        let existing = file[object.className]?.collectionTable(property.columnName)
        if let name = existing?.name, taken.take(name) {
          result.name(table: name, of: property.columnName, in: object.className)
        } else {
          unnamed.append((object.className, property.columnName))
        }
      }
    }
    for table in file.objectSchema.flatMap(\.collectionTables) {
      // A collection whose name differs only in case is renamed.
      let successor = self[table.className]?.property(
        collection: table.property.columnName, isSame: SQLName.collide)
      if successor == nil { taken.take(table.name) }
    }
    for (className, column) in unnamed {
      let name = taken.takeFree(CollectionTable.usualName(className: className, column: column))
      result.name(table: name, of: column, in: className)
    }
    return result
  }

  /// Returns the schema with the collections' tables in the file, for a read-only program.
  package func withCollectionNames(of file: Schema) -> Schema {
    var result = self
    let file = file.stored
    for object in objectSchema {
      for table in file[object.className]?.collectionTables ?? [] {
        result.name(table: table.name, of: table.property.columnName, in: object.className)
      }
    }
    return result
  }

  /// Returns the collections of a file whose table names are needed by classes, with their new
  /// tables.
  ///
  /// - Parameter target: A schema whose collections have been named for this file.
  package func collectionsInTheWay(
    of target: Schema
  ) -> [(from: CollectionTable, to: CollectionTable)] {
    let classes = Set(target.objectSchema.map { SQLName.folded($0.className) })
    let target = target.stored
    var taken = TakenTables(classesOf: [self, target])
    for table in (objectSchema + target.objectSchema).flatMap(\.collectionTables) {
      taken.take(table.name)
    }
    return stored.objectSchema.flatMap(\.collectionTables).filter {
      classes.contains(SQLName.folded($0.name))
    }.map { table in
      let column = table.property.columnName
      let wanted = target[table.className]?.collectionTable(column)?.name
      return (table, table.named(wanted ?? taken.takeFree(table.usualName)))
    }
  }

  /// Returns the collections that don't get the default table when their class is renamed, because
  /// the file has another table of that name.
  ///
  /// - Parameter target: The class of the program, with its new name.
  package func collectionsWithoutUsualName(
    of className: String, renamedTo newName: String, as target: ObjectSchema?
  ) -> [(from: CollectionTable, to: CollectionTable)] {
    guard let object = stored[className] else { return [] }
    var taken = TakenTables(classesOf: [self])
    for table in objectSchema.flatMap(\.collectionTables) { taken.take(table.name) }
    return object.collectionTables.filter { $0.property.tableName == nil }.compactMap { table in
      let column = table.property.columnName
      let usual = CollectionTable.usualName(className: newName, column: column)
      let wanted = target?.stored.collectionTable(column)?.name ?? usual
      let name = taken.take(wanted) ? wanted : taken.takeFree(usual)
      return SQLName.same(name, usual) ? nil : (table, table.named(name))
    }
  }

  package mutating func name(table: String, of column: String, in className: String) {
    guard var object = self[className],
      let index = object.properties.firstIndex(where: {
        $0.collection != nil && SQLName.same($0.columnName, column)
      })
    else { return }
    let usual = CollectionTable.usualName(className: className, column: column)
    let name = SQLName.same(usual, table) ? nil : table
    guard object.properties[index].tableName != name else { return }
    object.properties[index].tableName = name
    update(object)
  }
}

/// The names of tables that are in use.
private struct TakenTables {
  /// The folded names, which collide: see ``SQLName/collide(_:_:)``.
  private var names: Set<String> = []

  init(classesOf schemas: [Schema]) {
    for object in schemas.flatMap(\.objectSchema) { names.insert(SQLName.folded(object.className)) }
  }

  /// Reserves a name. Returns false if it is taken already.
  @discardableResult
  mutating func take(_ name: String) -> Bool { names.insert(SQLName.folded(name)).inserted }

  /// Reserves a name, or the first free variant of it.
  mutating func takeFree(_ usual: String) -> String {
    var name = usual
    var number = 1
    while !take(name) {
      name = number == 1 ? "\(usual)_elements" : "\(usual)_elements\(number)"
      number += 1
    }
    return name
  }
}

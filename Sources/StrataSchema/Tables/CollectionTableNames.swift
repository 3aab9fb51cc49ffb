/// The names of the tables of collections.
///
/// The table of `Post.comments` is called `Post_comments`, unless that is the table of a class: App
/// Services, for example, named the class of an embedded property so. Then it is
/// `Post_comments_elements`, and the schema in the file says so. The table of a class always has
/// the name of the class.
extension Schema {
  /// The schema with a table for each collection that no other class or collection has, be it in
  /// the schema or in the file.
  ///
  /// A collection keeps the table that it has in the file, unless a class needs the name: a table
  /// that other programs know has no other name because a class that was in the way left.
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
      // One whose name differs in case only is renamed.
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

  /// The schema with the tables that collections have in the file, for a program that changes
  /// nothing.
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

  /// The collections of a file whose tables have names that classes need, and what these tables are
  /// called instead.
  ///
  /// - Parameter target: A schema that was named beside the file.
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

  /// The collections of a class that get another table than usual when their class gets another
  /// name, because the usual one is taken in the file.
  ///
  /// - Parameter target: The class as the program has it, by its new name.
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

  /// Gives the table of a collection a name.
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

/// The names of tables that can't be given again.
private struct TakenTables {
  /// By the key on which names collide: see ``SQLName/collide(_:_:)``.
  private var names: Set<String> = []

  init(classesOf schemas: [Schema]) {
    for object in schemas.flatMap(\.objectSchema) { names.insert(SQLName.folded(object.className)) }
  }

  /// Whether a name was free, which it is no longer.
  @discardableResult
  mutating func take(_ name: String) -> Bool { names.insert(SQLName.folded(name)).inserted }

  /// Takes a name, or the first free one like it.
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

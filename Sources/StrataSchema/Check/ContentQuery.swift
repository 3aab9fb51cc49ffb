/// A query that finds invalid rows of a file.
package struct ContentQuery: Sendable, Hashable {
  package let kind: FileProblem.Kind
  /// The class of the rows, or the class whose collection they belong to.
  package let className: String
  /// The property by its column; nil for a problem of the whole object.
  package let property: String?
  /// The name of the identity in messages.
  package let identity: String
  /// SQL for the identities, in order.
  package let sql: String
  /// The problem, as the end of a sentence about the object.
  fileprivate let what: String
  fileprivate let repair: String

  package func problem(row: Int64) -> FileProblem {
    let place = property.map { "'\(className).\($0)'" } ?? "'\(className)'"
    return FileProblem(
      kind, className: className, property: property, row: row,
      "\(place) of the row with \(identity) \(row) \(what).", repair: repair)
  }

  /// Returns a problem for the rows that are too many to be listed.
  package func rest(_ count: Int) -> FileProblem {
    let place = property.map { "'\(className).\($0)'" } ?? "'\(className)'"
    return FileProblem(
      kind, className: className, property: property, rowCount: count,
      "\(place) of \(count) more \(count == 1 ? "row" : "rows") \(what).", repair: repair)
  }
}

extension ContentQuery {
  /// Returns the query for rows whose full-text index differs from their texts.
  /// - Parameter words: Whether the temporary tables of the comparison exist. Without them, only
  ///   rows that are missing from the table or from the index are found.
  package static func texts(of table: TextTable, words: Bool) -> ContentQuery {
    ContentQuery(
      kind: .index, className: table.className, property: table.column, identity: table.identity,
      sql: words ? table.differences : table.rowDifferences,
      what: "is not in step with its full-text index",
      repair: "Execute \(table.rebuild); with another program.")
  }

  /// Returns all queries for a file whose tables match its schema.
  package static func all(_ schema: Schema) -> [ContentQuery] {
    let schema = schema.stored
    let references = SchemaReferences(schema)
    return schema.objectSchema.flatMap { origin -> [ContentQuery] in
      let planner = ContentPlanner(schema: schema, origin: origin)
      return planner.columns + origin.collectionTables.flatMap(planner.elements)
        + planner.keys + (origin.isEmbedded ? planner.parents(references) : [])
    }
  }
}

/// The queries for one class.
private struct ContentPlanner {
  let schema: Schema
  let origin: ObjectSchema

  private var table: String { SQLName.quote(origin.className) }
  private var identity: String { SQLName.quote(origin.identityColumn) }

  /// The repair of a link. Migrations repair links that foreign keys check, which don't know the
  /// classes of an `AnyRealmValue`.
  private func repair(_ link: Property, _ text: String) -> String {
    link.type == .any ? "\(text)." : "\(text); a migration does so by itself."
  }

  private func query(
    _ kind: FileProblem.Kind, _ property: String?, _ sql: String, _ what: String, repair: String
  ) -> ContentQuery {
    ContentQuery(
      kind: kind, className: origin.className, property: property, identity: origin.identityColumn,
      sql: sql, what: what, repair: repair)
  }

  private func isGone(_ column: String, _ target: ObjectSchema) -> String {
    "\(column) IS NOT NULL AND \(column) NOT IN (\(target.allIdentities))"
  }

  // MARK: Links

  var columns: [ContentQuery] {
    origin.properties.filter(\.isStoredInColumn).compactMap { property in
      guard let condition = isDangling(Reference(origin: origin, property: property)) else {
        return nil
      }
      return query(
        .danglingLink, property.columnName,
        "SELECT \(identity) FROM \(table) WHERE \(condition) ORDER BY 1",
        "links to a missing object",
        repair: repair(property, "Set it to another object, or to nil"))
    }
  }

  private func isDangling(_ link: Reference) -> String? {
    let column = SQLName.quote(link.column)
    switch link.property.type {
    case .object:
      return link.property.objectClassName.flatMap { schema[$0] }.map { isGone(column, $0) }
    case .any:
      let typeColumn = SQLName.quote(link.typeColumn)
      let sound = schema.objectSchema.filter { !$0.isEmbedded }.map { target in
        let name = StoredValue.text(AnyValueSQL.typeName(className: target.className)).sqlLiteral
        return "(\(typeColumn) = \(name) AND NOT (\(isGone(column, target))))"
      }
      let isSound = sound.isEmpty ? "0" : sound.joined(separator: " OR ")
      return "substr(\(typeColumn), 1, 1) = '<' AND NOT (\(isSound))"
    default: return nil
    }
  }

  // MARK: Collections

  func elements(of collection: CollectionTable) -> [ContentQuery] {
    let property = collection.property.columnName
    let table = SQLName.quote(collection.name)
    let owner = SQLName.quote(CollectionTable.owner)
    var queries = [
      query(
        .danglingElement, property,
        "SELECT DISTINCT \(owner) FROM \(table) WHERE \(isGone(owner, origin)) ORDER BY 1",
        "has elements, but the object is missing",
        repair: "Delete them; a migration does so by itself.")
    ]
    if let condition = isDangling(Reference(origin: origin, property: collection.property)) {
      queries.append(
        query(
          .danglingLink, property,
          "SELECT DISTINCT \(owner) FROM \(table) WHERE \(condition) ORDER BY 1",
          "has an element that links to a missing object",
          repair: repair(collection.property, "Remove the element")))
    }
    if collection.kind == .set, collection.primaryKey == nil {
      let columns =
        [CollectionTable.owner, CollectionTable.value]
        + (collection.typeColumnName.map { [$0] } ?? [])
      queries.append(
        query(
          .duplicate, property,
          """
          SELECT DISTINCT \(owner) FROM (SELECT \(owner) FROM \(table) NOT INDEXED
          GROUP BY \(SQLName.list(columns)) HAVING count(*) > 1) ORDER BY 1
          """, "has a value more than once, and is a set",
          repair: "Open the file for writing: the duplicates are removed."))
    }
    return queries
  }

  // MARK: Keys

  var keys: [ContentQuery] {
    guard let key = origin.primaryKeyProperty else { return [] }
    let column = SQLName.quote(key.columnName)
    return [
      query(
        .duplicate, key.columnName,
        """
        SELECT \(identity) FROM \(table) NOT INDEXED WHERE \(column) IN
        (SELECT \(column) FROM \(table) NOT INDEXED GROUP BY 1 HAVING count(*) > 1)
        OR (\(column) IS NULL AND
        (SELECT count(*) FROM \(table) NOT INDEXED WHERE \(column) IS NULL) > 1) ORDER BY 1
        """, "has the primary key of another row",
        repair: "Delete one of the objects, or give it another key.")
    ]
  }

  // MARK: Embedded objects

  func parents(_ references: SchemaReferences) -> [ContentQuery] {
    // A class without incoming links was removed from the program: its objects stay in the file.
    guard !references.links(to: origin.className).isEmpty else { return [] }
    let links = references.links(to: origin.className).map { reference in
      "SELECT \(SQLName.quote(reference.column)) AS child FROM \(SQLName.quote(reference.table))"
    }
    let children = links.joined(separator: " UNION ALL ")
    return [
      query(
        .orphan, nil,
        """
        SELECT \(identity) FROM \(table) WHERE \(identity) NOT IN
        (SELECT child FROM (\(children)) WHERE child IS NOT NULL) ORDER BY 1
        """, "is embedded, but has no parent", repair: "Delete the row."),
      query(
        .sharedObject, nil,
        """
        SELECT \(identity) FROM \(table) WHERE \(identity) IN
        (SELECT child FROM (\(children)) GROUP BY child HAVING count(*) > 1) ORDER BY 1
        """, "is embedded, but has more than one parent",
        repair: "Set all of the links but one to nil."),
    ]
  }
}

/// A problem of a file, with its place and the repair.
public struct FileProblem: Sendable, Hashable {
  /// The kind of a problem.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// SQLite reports that the file is damaged, or can't read a part of it.
    case damage
    /// The table of versions and schemas can't be read.
    case record
    /// A table or a column is missing, or has another declaration.
    case table
    /// An index is missing, or has another definition.
    case index
    /// A trigger that maintains links and embedded objects is missing, or has another definition.
    case trigger
    /// A value that doesn't match the type of its property.
    case value
    /// A required property, or element, without a value.
    case missingValue
    /// A link, an element or an `AnyRealmValue` links to a missing object.
    case danglingLink
    /// The elements of a collection whose object is missing.
    case danglingElement
    /// An embedded object without a parent.
    case orphan
    /// An embedded object with several parents, or several times in one.
    case sharedObject
    /// Objects with the same primary key, or a value that occurs more than once in a set.
    case duplicate
  }

  /// The kind of the problem.
  public let kind: Kind
  /// The class, if known.
  public let className: String?
  /// The name of the property's column, for a problem of a property.
  public let property: String?
  /// The identity of the row, for a problem of an object. For an element of a collection, the
  /// identity of the object with the collection.
  public let row: Int64?
  /// The number of rows with the problem: more than one if there are too many to be listed, 0 for a
  /// problem that doesn't concern rows.
  public let rowCount: Int
  /// The problem, in a sentence.
  public let message: String
  /// The repair, in a sentence.
  public let repair: String

  package init(
    _ kind: Kind, className: String? = nil, property: String? = nil, row: Int64? = nil,
    rowCount: Int? = nil, _ message: String, repair: String
  ) {
    self.kind = kind
    self.className = className
    self.property = property
    self.row = row
    self.rowCount = rowCount ?? (row == nil ? 0 : 1)
    self.message = message
    self.repair = repair
  }
}

extension FileProblem: CustomStringConvertible {
  /// The message and the repair.
  public var description: String { "\(message) \(repair)" }
}

import StrataSchema
import StrataStorage

/// A table of a file whose rows get into its twin, and the SQL that replaces its values.
struct TwinTable: Hashable {
  /// The treatment of a column.
  enum Treatment: Hashable {
    /// An identity, a link, a position, or a column of the library: its values stay.
    case stays
    case value(PropertyType?)
    /// The value of an `AnyRealmValue`.
    case any(typeColumn: String)
    case typeName
    /// The type of a point on the Earth, which isn't a content.
    case pointType
  }

  struct Column: Hashable {
    var name: String
    var treatment: Treatment
  }

  var name: String
  var columns: [Column] = []
  /// Whether it is the table of a class.
  var isClass = false
  /// A condition for rows, in SQL; nil for all rows.
  var condition: String?
  /// The columns by which new rows are sorted, if the order of the old ones isn't right.
  var order: [String] = []

  /// Returns SQL for the new value of a column.
  private func sql(_ column: Column) -> String {
    let name = SQLName.quote(column.name)
    switch column.treatment {
    case .stays: return name
    case .value(let type): return "\(TwinFunctions.value)(\(name), \(Self.number(of: type)))"
    case .any(let type): return "\(TwinFunctions.any)(\(name), \(SQLName.quote(type)))"
    case .typeName: return "\(TwinFunctions.typeName)(\(name))"
    case .pointType:
      return "CASE WHEN lower(\(name)) = 'point' THEN \(name) ELSE "
        + "\(TwinFunctions.value)(\(name), \(Self.number(of: .string))) END"
    }
  }

  /// The number of a type in SQL; -1 for none.
  static func number(of type: PropertyType?) -> Int {
    type.flatMap { PropertyType.allCases.firstIndex(of: $0) } ?? -1
  }

  /// Returns the type with a number.
  static func type(_ number: Int64) -> PropertyType? {
    PropertyType.allCases.indices.contains(Int(clamping: number))
      ? PropertyType.allCases[Int(number)] : nil
  }

  private var replacedColumns: [Column] { columns.filter { $0.treatment != .stays } }

  /// The number of values that are replaced in a row.
  var replacedCount: Int { replacedColumns.count }

  /// The query that passes all values to be replaced to the functions, and returns the number of
  /// rows.
  var collecting: String {
    let values = replacedColumns.map { "count(\(sql($0)))" }
    return "SELECT \((["count(*)"] + values).joined(separator: ", ")) FROM \(source)"
  }

  /// The statement that writes the rows, in the order of the new table.
  var filling: String {
    let names = SQLName.list(columns.map(\.name))
    let values = columns.map { "\(sql($0)) AS \(SQLName.quote($0.name))" }
    let order = order.isEmpty ? "" : " ORDER BY \(SQLName.list(order))"
    return
      "INSERT INTO main.\(SQLName.quote(name)) (\(names)) "
      + "SELECT \(names) FROM (SELECT \(values.joined(separator: ", ")) FROM \(source))\(order)"
  }

  private var source: String {
    "original.\(SQLName.quote(name))" + (condition.map { " WHERE \($0)" } ?? "")
  }
}

extension TwinTable {
  /// Returns the tables of all classes and collections, and of the library, except its history.
  ///
  /// - Parameters:
  ///   - schema: The classes with their retired properties.
  ///   - columns: The columns of the file.
  ///   - kept: The properties whose values stay, as `Class.property`.
  static func all(
    of schema: Schema, _ columns: [CatalogColumn], keeping kept: Set<String>
  ) -> [TwinTable] {
    let columns = Dictionary(
      grouping: columns.filter { $0.hidden == 0 }, by: { SQLName.folded($0.table) })
    func table(_ name: String, _ treatments: [String: Treatment]) -> TwinTable {
      TwinTable(
        name: name,
        columns: (columns[SQLName.folded(name)] ?? []).map {
          Column(name: $0.name, treatment: treatments[SQLName.folded($0.name)] ?? .value(nil))
        })
    }
    var tables: [TwinTable] = []
    for object in schema.stored.objectSchema {
      var own = table(object.className, treatments(of: object, keeping: kept))
      own.isClass = true
      tables.append(own)
      for collection in object.collectionTables {
        var elements = table(collection.name, treatments(of: collection, keeping: kept))
        if collection.kind != .list { elements.order = collection.primaryKey ?? [] }
        tables.append(elements)
      }
    }
    for name in [VersionTable.name, OlderWrites.name, MigrationLedger.name] {
      var own = table(name, [:])
      guard !own.columns.isEmpty else { continue }
      for index in own.columns.indices {
        let isDate = own.columns[index].name == "migrated_at"
        own.columns[index].treatment = isDate ? .value(.date) : .stays
      }
      if name == MigrationLedger.name {
        let prefix = StoredValue.text(MigrationLedger.prefix).sqlLiteral
        own.condition = "substr(identifier, 1, \(MigrationLedger.prefix.count)) = \(prefix)"
      }
      tables.append(own)
    }
    return tables
  }

  private static func treatments(
    of object: ObjectSchema, keeping kept: Set<String>
  ) -> [String: Treatment] {
    var treatments = [SQLName.folded(object.identityColumn): Treatment.stays]
    for property in object.properties {
      let isKept = kept.contains("\(object.className).\(property.columnName)")
      for (index, column) in property.columns.enumerated() {
        let whole = treatment(property, typeColumn: property.typeColumnName)
        treatments[SQLName.folded(column.name)] = isKept ? .stays : index == 1 ? .typeName : whole
      }
    }
    if isPoint(object), treatments["type"] == .value(.string) { treatments["type"] = .pointType }
    return treatments
  }

  private static func treatments(
    of collection: CollectionTable, keeping kept: Set<String>
  ) -> [String: Treatment] {
    let isKept = kept.contains("\(collection.className).\(collection.property.columnName)")
    var treatments: [String: Treatment] = [
      CollectionTable.owner: .stays, CollectionTable.position: .stays,
      CollectionTable.key: isKept ? .stays : .value(.string),
      CollectionTable.value: isKept
        ? .stays : treatment(collection.property, typeColumn: collection.typeColumnName),
    ]
    if collection.kind != .list { treatments[CollectionTable.position] = nil }
    if collection.kind != .map { treatments[CollectionTable.key] = nil }
    if let type = collection.typeColumnName { treatments[type] = isKept ? .stays : .typeName }
    return treatments
  }

  private static func treatment(_ property: Property, typeColumn: String?) -> Treatment {
    if property.type == .object { return .stays }
    return typeColumn.map { .any(typeColumn: $0) } ?? .value(property.type)
  }

  /// Whether objects of a class are points in the form of GeoJSON, which queries find by areas.
  private static func isPoint(_ object: ObjectSchema) -> Bool {
    object.isEmbedded && object.property(column: "type")?.type == .string
      && object.property(column: "coordinates")?.type == .double
      && object.property(column: "coordinates")?.collection == .list
  }
}

/// Which objects of a table are meant, and in which order.
struct ObjectQuery {
  /// The source of the objects.
  enum Source {
    /// All of the class.
    case all
    /// Those in a collection of an object.
    case collection(CollectionInfo, owner: Int64)
    /// Those with a link to an object. The column is quoted.
    case linking(column: String, to: Int64)
    /// Those with a collection that contains an object, as often as it does.
    case containing(CollectionInfo, Int64)
  }

  let table: Table
  var source = Source.all
  /// Columns to sort by, quoted; rows that are equal in these are in the order of their
  /// identities, or of the collection.
  var order: [(column: String, ascending: Bool)] = []

  init(_ table: Table) {
    self.table = table
  }

  var isSorted: Bool { !order.isEmpty }

  /// Whether the objects are in the order of their identities, each once.
  var isByIdentity: Bool {
    switch source {
    case .all, .linking: !isSorted
    case .collection, .containing: false
    }
  }

  /// The values of the parameters of each statement, before those of a condition.
  var parameters: [Int64] {
    switch source {
    case .all: []
    case .collection(_, let row), .linking(_, let row), .containing(_, let row): [row]
    }
  }

  /// The tables, and which rows of them.
  private var from: String {
    switch source {
    case .all: return "FROM \(table.name) AS t"
    case .linking(let column, _): return "FROM \(table.name) AS t WHERE t.\(column) = ?"
    // `CROSS JOIN` begins with the collection, whatever SQLite thinks of its size.
    case .collection(let info, _):
      return """
        FROM \(info.name) AS c CROSS JOIN \(table.name) AS t ON t.\(table.identity) = c.value
        WHERE c.owner = ?
        """
    case .containing(let info, _):
      return """
        FROM \(info.name) AS c CROSS JOIN \(table.name) AS t ON t.\(table.identity) = c.owner
        WHERE c.value = ?
        """
    }
  }

  /// The columns and rows of the query.
  /// - Parameters:
  ///   - columns: What to select of the table `t`, in SQL.
  ///   - condition: A condition in SQL, with the parameters that the caller binds.
  func select(_ columns: String, where condition: String? = nil, reversed: Bool = false) -> String {
    var sql = "SELECT \(columns) \(from)"
    if let condition { sql += " \(parameters.isEmpty ? "WHERE" : "AND") \(condition)" }
    var terms = order.map { "t.\($0.column) \($0.ascending != reversed ? "ASC" : "DESC")" }
    let last = reversed ? "DESC" : "ASC"
    if case .collection(let info, _) = source {
      terms.append("c.\(info.order) \(last)")
    } else {
      terms.append("t.\(table.identity) \(last)")
    }
    return sql + " ORDER BY " + terms.joined(separator: ", ")
  }

  /// One value for all rows, such as `count(*)`; columns are those of `t`.
  func aggregate(_ expression: String) -> String {
    "SELECT \(expression) \(from)"
  }
}

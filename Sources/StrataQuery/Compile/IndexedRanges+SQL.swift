import StrataSchema

/// A way to the rows of a query that has ranges of indexed properties.
package enum RangeWay: Sendable, Hashable {
  /// As SQLite takes it.
  case usual
  /// Through the whole table.
  case scan
  /// By the index of one of the ranges, and from there to each row.
  case index(Int)
  /// By the index of one of the ranges, and to its rows in the order of their identities.
  case identities(Int)
}

extension IndexedRanges {
  /// The statement for the number of rows of a table, or a little more.
  package var rowCountSQL: String { "SELECT ifnull(max(\(identity)), 0) FROM \(table)" }

  /// The statement for the bytes that the first rows and the last ones have on average.
  package var widthStatement: String {
    let rows = { (order: String) in
      "SELECT * FROM (SELECT \(widthSQL) AS w FROM \(table) AS t ORDER BY t.\(identity) \(order) LIMIT 16)"
    }
    return
      "SELECT CAST(ifnull(avg(w), 0) AS INTEGER) FROM (\(rows("ASC")) UNION ALL \(rows("DESC")))"
  }

  /// The statement for the identities of a range in the order of its index, as many as the last
  /// parameter says.
  package func sample(_ range: Range, _ parameter: String) -> String {
    "SELECT t.\(identity) FROM \(table) AS t WHERE \(range.condition) LIMIT \(parameter)"
  }

  /// The statement for the number of rows in a range, of which it counts no more than the last
  /// parameter says.
  package func count(_ range: Range, _ parameter: String) -> String {
    "SELECT count(*) FROM (SELECT 1 FROM \(table) AS t WHERE \(range.condition) LIMIT \(parameter))"
  }
}

extension QuerySQL {
  /// The same query in words that lead SQLite another way. The rows and their order are the same.
  package func taking(_ way: RangeWay) -> QuerySQL {
    guard let ranges, let condition else { return self }
    var sql = self
    sql.ranges = nil
    switch way {
    case .usual: break
    case .scan: sql.condition = ranges.withoutIndexes(condition, but: nil)
    case .index(let number): sql.condition = ranges.withoutIndexes(condition, but: number)
    case .identities(let number):
      let column = "t.\(ranges.identity)"
      let rows =
        "SELECT \(column) FROM \(ranges.table) AS t WHERE \(ranges.ranges[number].condition)"
      let rest = ranges.withoutIndexes(condition, but: nil)
      sql.condition = "\(column) IN (\(rows)) AND \(rest)"
    }
    return sql
  }
}

extension IndexedRanges {
  /// `+t."age"` is the same value, and no index has it. Constants are parameters and names are in
  /// quotes, so the text of the column is nothing else.
  fileprivate func withoutIndexes(_ condition: String, but kept: Int?) -> String {
    var condition = condition
    for (number, range) in ranges.enumerated() where number != kept {
      condition = condition.replacing("t.\(range.column)", with: "+t.\(range.column)")
    }
    return condition
  }
}

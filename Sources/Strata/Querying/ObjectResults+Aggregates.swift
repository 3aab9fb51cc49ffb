import IssueReporting
import StrataStorage

extension ObjectResults {
  /// The result of an aggregate function of SQL over a property, or nil when there is none.
  ///
  /// `min` and `max` are for numbers and dates, `sum` and `avg` for numbers; anything else is
  /// reported.
  func aggregate(_ function: Aggregate, _ property: String) -> _StoredElement? {
    let info = query.table.info
    guard let slot = info.slot(property) else {
      let known = info.properties.map(\.name)
      reportIssue("\(ErrorText.invalidPropertyName(property, info.className, known: known))")
      return nil
    }
    guard function.takes(info.properties[slot]), let column = query.table.column(property) else {
      function.reportMisuse(on: info.properties[slot], of: info.className)
      return nil
    }
    let type = info.properties[slot].type
    session.reads?.noteValues(in: query.table)
    let stored = value(Self.expression(function.rawValue, "t.\(column)", type), of: column)
    return stored == .null ? nil : stored?.result(over: type)
  }

  /// Decimals are stored as text, and SQLite's `sum` fails when integers overflow, where Realm's
  /// goes around.
  private static func expression(
    _ function: String, _ column: String, _ type: PropertyType
  ) -> String {
    switch (function, type) {
    case (_, .decimal128):
      let name = function == "avg" ? "average" : function
      return "strata_decimal_\(name)(\(column), '\(type.rawValue)')"
    case ("sum", .int): return "strata_sum(\(column))"
    default: return "\(function)(\(column))"
    }
  }
}

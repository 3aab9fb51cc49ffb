import StrataSchema

/// Lists and dictionaries inside of an `AnyRealmValue`: their text is taken apart by functions of
/// the library, which give a value and its type as two columns do.
extension QueryCompiler {
  /// What is at the end of some steps into a value; none of them leads to several.
  func nested(_ value: SQLValue, _ steps: [NestedStep]) -> SQLValue {
    guard !steps.isEmpty else { return value }
    return nested(value.sql, value.typeText, parameter(.text(NestedPath(steps).text)))
  }

  private func nested(_ sql: String, _ typeSQL: String, _ path: String) -> SQLValue {
    SQLValue(
      sql: "strata_nested_value(\(sql), \(typeSQL), \(path))",
      typeSQL: "strata_nested_type(\(sql), \(typeSQL), \(path))", type: .any, allowsNil: true)
  }

  /// All that is at the end of some steps, as a table.
  func allNested(_ value: SQLValue, _ steps: [NestedStep]) -> (table: String, value: SQLValue) {
    let alias = nextAlias("n")
    let path = parameter(.text(NestedPath(steps).text))
    let table = "json_each(strata_nested_all(\(value.sql), \(value.typeText), \(path))) AS \(alias)"
    return (table, nested("\(alias).value", "'json'", "'[]'"))
  }
}

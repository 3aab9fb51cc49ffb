import StrataSchema

extension QueryCompiler {
  /// Returns a comparison with a part of a text or data. No text contains the empty text, as in
  /// Realm.
  func text(
    _ left: SQLValue, _ operator: QueryOperator, _ constant: ResolvedConstant,
    _ options: QueryOptions
  ) -> String {
    guard case .value(let value, let type) = constant else {
      return `operator` == .like && constant == .null ? "\(left.nilText) IS NULL" : "0"
    }
    let sql = textLeaf(left.sql, `operator`, value, options)
    guard let typeSQL = left.typeSQL else { return sql }
    return "(\(typeSQL) = '\(type.rawValue)' AND \(sql))"
  }

  /// Returns a search in a full-text index. The resolver accepts only words, and properties with an
  /// index.
  func search(_ left: SQLValue, _ constant: ResolvedConstant) -> String {
    guard let search = left.search, case .value(.text(let text), _) = constant else { return "0" }
    do throws(PredicateProblem) {
      return search + parameter(.text(try TextWords(text).expression)) + ")"
    } catch {
      return "0"
    }
  }

  private func textLeaf(
    _ left: String, _ operator: QueryOperator, _ value: StoredValue, _ options: QueryOptions
  ) -> String {
    if `operator` == .like { return like(left, value, options) }
    guard !value.bytes.isEmpty else { return "0" }
    guard options.isEmpty else { return function(`operator`, left, parameter(value), options) }
    switch `operator` {
    case .contains: return "instr(\(left), \(parameter(value))) > 0"
    case .beginsWith: return prefix(left, value)
    case .endsWith:
      // Compares bytes, because `substr` of a text ends at its first U+0000.
      let bytes = value.bytes
      return "substr(CAST(\(left) AS BLOB), -\(bytes.count)) = \(parameter(.blob(bytes)))"
    default: return "0"
    }
  }

  /// Returns a range condition, for which SQLite uses an index.
  private func prefix(_ left: String, _ value: StoredValue) -> String {
    let start = "\(left) >= \(parameter(value))"
    guard let end = value.afterPrefix else { return start }
    return "(\(start) AND \(left) < \(parameter(end)))"
  }

  private func like(_ left: String, _ value: StoredValue, _ options: QueryOptions) -> String {
    let pattern = value.bytes
    let wildcards = pattern.count { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
    if options.isEmpty {
      if wildcards == 0 { return "\(left) = \(parameter(value))" }
      if wildcards == 1, pattern.last == UInt8(ascii: "*"), case .text(let text) = value {
        if pattern.count == 1 { return "\(left) IS NOT NULL" }
        return prefix(left, .text(String(text.unicodeScalars.dropLast())))
      }
    }
    // Avoids `GLOB`, which ends a text at its first U+0000.
    return function(.like, left, parameter(value), options)
  }

  /// Returns a call of the library's function, for comparisons that SQLite doesn't support.
  func function(
    _ operator: QueryOperator, _ left: String, _ right: String, _ options: QueryOptions
  ) -> String {
    let name =
      switch `operator` {
      case .contains: "strata_contains"
      case .beginsWith: "strata_begins"
      case .endsWith: "strata_ends"
      default: "strata_like"
      }
    return "\(name)(\(left), \(right), \(options.rawValue))"
  }
}

extension StoredValue {
  fileprivate var bytes: [UInt8] {
    switch self {
    case .text(let text): Array(text.utf8)
    case .blob(let bytes): bytes
    case .null, .integer, .real: []
    }
  }

  /// The least value that is greater than all values with this prefix; nil if all values have it.
  fileprivate var afterPrefix: StoredValue? {
    switch self {
    case .text(let text):
      var scalars = Array(text.unicodeScalars)
      while let last = scalars.popLast() {
        // The scalar after U+D7FF is U+E000: the surrogates between are no characters.
        let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
        guard let raised = Unicode.Scalar(next) else { continue }
        scalars.append(raised)
        var result = ""
        result.unicodeScalars.append(contentsOf: scalars)
        return .text(result)
      }
      return nil
    case .blob(var bytes):
      while let last = bytes.popLast() {
        guard last < 0xFF else { continue }
        bytes.append(last + 1)
        return .blob(bytes)
      }
      return nil
    case .null, .integer, .real: return nil
    }
  }
}

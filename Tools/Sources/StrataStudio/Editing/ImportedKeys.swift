import StrataSchema

/// The primary keys in the links of imported values. Each key gets a negative row number, which
/// stands for the object until the whole value is parsed.
final class ImportedKeys {
  /// The targets of the rows -1, -2, …
  private var targets: [ImportTarget] = []
  private var rows: [ImportTarget: Int64] = [:]

  func row(of className: String, _ key: NestedValue) -> Int64 {
    let target = ImportTarget.key(className: className, key.stored)
    if let known = rows[target] { return known }
    targets.append(target)
    let row = -Int64(targets.count)
    rows[target] = row
    return row
  }

  /// The target of a parsed link.
  func target(className: String, row: Int64) -> ImportTarget {
    row < 0 && -row <= Int64(targets.count)
      ? targets[Int(-row) - 1] : .identity(className: className, row)
  }

  /// - Throws: ``JSONProblem`` for invalid JSON.
  func value(_ text: String) throws(JSONProblem) -> NestedValue {
    try NestedValue(exchanged: text, maxLevels: CSVCell.maxLevels, rowOfKey: row)
  }
}

/// The target of a link in the input.
enum ImportTarget: Hashable {
  case key(className: String, StoredValue)
  case identity(className: String, Int64)
}

extension ImportTarget {
  /// - Parameter key: The primary key, or the identity if the class has no primary key.
  init(key: StoredValue, of table: ObjectSchema) {
    if table.primaryKeyProperty == nil, case .integer(let identity) = key {
      self = .identity(className: table.className, identity)
    } else {
      self = .key(className: table.className, key)
    }
  }
}

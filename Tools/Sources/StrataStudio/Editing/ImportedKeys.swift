import StrataSchema
import StrataStorage

/// The objects that the values of an import tell by their primary keys: each gets a row below zero,
/// which stands for it until all of the value was read.
final class ImportedKeys {
  /// Those of the rows -1, -2, …
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

  /// The object of a link that was read.
  func target(className: String, row: Int64) -> ImportTarget {
    row < 0 && -row <= Int64(targets.count)
      ? targets[Int(-row) - 1] : .identity(className: className, row)
  }

  /// - Throws: ``NestedProblem`` for what is no JSON.
  func value(_ text: String) throws(NestedProblem) -> NestedValue {
    try NestedValue(exchanged: text, mostLevels: CSVCell.mostLevels, rowOfKey: row)
  }
}

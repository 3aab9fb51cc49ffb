/// The objects of one class with the same kind of change in a transaction.
///
/// In the file, groups are readable JSON, with ranges of identities as pairs:
///
/// ```json
/// [["Order","i",[[1,100000]]],["Order","u",["status"],[7,9,[12,15]]],
///  ["Person","d",[3]],["Draft","x",412]]
/// ```
package struct HistoryGroup: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case inserted
    /// The changed columns, in the order of the class.
    case updated([String])
    case deleted
    /// All objects of the class. Only their number is known.
    case deletedAll(count: Int)
  }

  package var className: String
  package var kind: Kind
  /// Identities, ascending.
  package var rows: [ClosedRange<Int64>]

  package init(_ className: String, _ kind: Kind, _ rows: [ClosedRange<Int64>] = []) {
    self.className = className
    self.kind = kind
    self.rows = rows
  }

  /// Returns the ranges of ascending identities.
  package static func runs(_ rows: some Sequence<Int64>) -> [ClosedRange<Int64>] {
    var runs: [ClosedRange<Int64>] = []
    for row in rows {
      if let last = runs.last, last.upperBound != .max, last.upperBound + 1 == row {
        runs[runs.count - 1] = last.lowerBound...row
      } else {
        runs.append(row...row)
      }
    }
    return runs
  }
}

extension HistoryGroup {
  private static let letters = (inserted: "i", updated: "u", deleted: "d", deletedAll: "x")

  /// The groups as JSON.
  package static func text(_ groups: [HistoryGroup]) -> String {
    var writer = NestedWriter()
    writer.list(groups) { writer, group in group.write(to: &writer) }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Writes without an intermediate tree of values, because this runs in each transaction.
  private func write(to writer: inout NestedWriter) {
    writer.append("[")
    writer.write(text: className)
    switch kind {
    case .inserted: writer.append(",\"\(Self.letters.inserted)\",")
    case .updated(let columns):
      writer.append(",\"\(Self.letters.updated)\",")
      writer.list(columns) { writer, column in writer.write(text: column) }
      writer.append(",")
    case .deleted: writer.append(",\"\(Self.letters.deleted)\",")
    case .deletedAll(let count):
      writer.append(",\"\(Self.letters.deletedAll)\",\(count)]")
      return
    }
    writer.list(rows) { writer, run in
      if run.lowerBound == run.upperBound {
        writer.append("\(run.lowerBound)")
      } else {
        writer.append("[\(run.lowerBound),\(run.upperBound)]")
      }
    }
    writer.append("]")
  }

  /// Reads the result of ``text(_:)``; nil for another text.
  package static func groups(in text: String) -> [HistoryGroup]? {
    guard let items = NestedValue(readable: text)?.items else { return nil }
    var groups: [HistoryGroup] = []
    for item in items {
      guard let group = group(item) else { return nil }
      groups.append(group)
    }
    return groups
  }

  private static func group(_ value: NestedValue) -> HistoryGroup? {
    guard let items = value.items, items.count >= 3, let className = items[0].string else {
      return nil
    }
    switch items[1].string {
    case letters.inserted: return runs(in: items[2]).map { HistoryGroup(className, .inserted, $0) }
    case letters.deleted: return runs(in: items[2]).map { HistoryGroup(className, .deleted, $0) }
    case letters.updated:
      guard items.count == 4, let columns = items[2].strings else { return nil }
      return runs(in: items[3]).map { HistoryGroup(className, .updated(columns), $0) }
    case letters.deletedAll:
      return items[2].number.map {
        HistoryGroup(className, .deletedAll(count: Int(clamping: $0)))
      }
    default: return nil
    }
  }

  private static func runs(in value: NestedValue) -> [ClosedRange<Int64>]? {
    guard let items = value.items else { return nil }
    var runs: [ClosedRange<Int64>] = []
    for item in items {
      if let row = item.number {
        runs.append(row...row)
      } else if let ends = item.items, ends.count == 2, let first = ends[0].number,
        let last = ends[1].number, first <= last
      {
        runs.append(first...last)
      } else {
        return nil
      }
    }
    return runs
  }
}

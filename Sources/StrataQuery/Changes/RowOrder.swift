package import StrataSchema

/// The rows of results as they were delivered, and the effects of touched rows on them.
///
/// Untouched rows can't change their order. So only the touched rows have to be located: each row
/// that belongs to the results now has a *gap*, the number of untouched rows before it.
/// ``gap(atLeast:near:isBefore:)`` finds the gap.
package struct RowOrder: Sendable {
  /// The rows in the order in which they were delivered, without duplicates.
  package let delivered: [Int64]
  /// The positions of the touched rows in `delivered`, ascending.
  private let places: [Int]
  /// The index of each touched row in `places`.
  private let numbers: [Int64: Int]

  /// Finds the touched rows.
  ///
  /// - Parameter isAscending: Whether the rows were delivered in the order of their identities.
  package init(delivered: [Int64], touched: [Int64], isAscending: Bool = false) {
    self.delivered = delivered
    places = Self.positions(of: touched, in: delivered, isAscending: isAscending)
    var numbers: [Int64: Int] = Dictionary(minimumCapacity: places.count)
    for (number, place) in places.enumerated() { numbers[delivered[place]] = number }
    self.numbers = numbers
  }

  /// Returns the positions of some rows in a list, ascending. A few rows of an ascending list are
  /// searched; otherwise the whole list is scanned.
  ///
  /// - Parameter isAscending: Whether the rows of the list ascend, without duplicates.
  package static func positions(
    of rows: [Int64], in list: [Int64], isAscending: Bool = false
  ) -> [Int] {
    isAscending && rows.count < list.count / rowsPassed
      ? places(of: rows, inAscending: list) : places(of: RowFilter(rows), in: list)
  }

  /// The number of rows that can be scanned in the time of one search.
  private static let rowsPassed = 16

  private static func places(
    of rows: [Int64], inAscending list: [Int64]
  ) -> [Int] {
    var start = 0
    return rows.sorted().compactMap { row in
      start = (start..<list.count).bisected { list[$0] < row }
      return start < list.count && list[start] == row ? start : nil
    }
  }

  private static func places(of filter: RowFilter, in rows: [Int64]) -> [Int] {
    guard !filter.isEmpty else { return [] }
    var places: [Int] = []
    rows.withUnsafeBufferPointer { rows in
      for place in rows.indices where filter.contains(rows[place]) { places.append(place) }
    }
    return places
  }

  // MARK: Gaps

  /// The number of delivered rows that weren't touched.
  package var untouchedCount: Int { delivered.count - places.count }

  /// Returns an untouched row, by its index among the untouched ones.
  package func untouched(_ number: Int) -> Int64 {
    // Counts the touched rows before it: rows with fewer untouched rows before them.
    delivered[number + places.indices.bisected { places[$0] - $0 <= number }]
  }

  /// Returns the gap in which a row was delivered; nil if it wasn't delivered, or wasn't touched.
  package func deliveredGap(of row: Int64) -> Int? {
    numbers[row].map { places[$0] - $0 }
  }

  /// Returns the gap of a row: the number of untouched rows before it in the new order.
  ///
  /// Compares about log₂ n untouched rows, or two if the hint is right.
  ///
  /// - Parameters:
  ///   - lowest: The gap of the previous row in the new order.
  ///   - hint: The probable gap of the row: its old gap.
  ///   - isBefore: Whether an untouched row comes before the row.
  package func gap(
    atLeast lowest: Int = 0, near hint: Int? = nil, isBefore: (Int64) throws -> Bool
  ) rethrows -> Int {
    var low = lowest
    var high = untouchedCount
    if let hint, hint >= low, hint <= high {
      var step = 1
      if hint < high, try isBefore(untouched(hint)) {
        low = hint + 1
        while low + step <= high, try isBefore(untouched(low + step - 1)) {
          low += step
          step *= 2
        }
        high = min(high, low + step - 1)
      } else {
        high = hint
        while high - step >= low, try !isBefore(untouched(high - step)) {
          high -= step
          step *= 2
        }
        if high - step >= low { low = high - step + 1 }
      }
    }
    return try (low..<high).bisected { try isBefore(untouched($0)) }
  }

  // MARK: Changes

  /// Returns the new rows, and their changes.
  ///
  /// A touched row that stays in its gap is moved only if other rows in that gap have to pass it.
  ///
  /// - Parameter present: The touched rows that belong to the results now, in their new order,
  ///   without duplicates, and with their gaps.
  /// - Precondition: Gaps ascend, and are at most ``untouchedCount``.
  package func change(
    to present: [(row: Int64, gap: Int)]
  ) -> (rows: [Int64], changes: ChangeSet) {
    precondition((present.last?.gap ?? 0) <= untouchedCount, "A gap is behind the last row.")
    let changes = changes(to: present)
    guard !changes.deletions.isEmpty || !changes.insertions.isEmpty else {
      return (delivered, changes)
    }
    let rows = rows(with: present)
    assert(changes.leads(from: delivered, to: rows))
    return (rows, changes)
  }

  private func changes(to present: [(row: Int64, gap: Int)]) -> ChangeSet {
    var stays = [Bool](repeating: false, count: places.count)
    var insertions: [Int] = []
    var start = 0
    while start < present.count {
      let gap = present[start].gap
      var end = start
      // The rows that were in this gap before, and their old numbers.
      var same: [Int] = []
      var old: [Int] = []
      while end < present.count, present[end].gap == gap {
        if let number = numbers[present[end].row], places[number] - number == gap {
          same.append(end)
          old.append(number)
        }
        end += 1
      }
      var next = start
      for position in IncreasingRun.positions(in: old) {
        stays[old[position]] = true
        for index in next..<same[position] { insertions.append(gap + index) }
        next = same[position] + 1
      }
      for index in next..<end { insertions.append(gap + index) }
      start = end
    }
    var deletions: [Int] = []
    var modifications: [Int] = []
    for (number, place) in places.enumerated() {
      if stays[number] { modifications.append(place) } else { deletions.append(place) }
    }
    return ChangeSet(
      deletions: deletions, insertions: insertions, modifications: modifications)
  }

  /// Copies the ranges of untouched rows, with the present rows in their gaps.
  private func rows(with present: [(row: Int64, gap: Int)]) -> [Int64] {
    let count = untouchedCount + present.count
    var result: [Int64] = []
    result.reserveCapacity(count)
    var piece = UntouchedPieces(delivered: delivered, places: places)
    for (row, gap) in present {
      piece.copy(upTo: gap, to: &result)
      result.append(row)
    }
    piece.copy(upTo: untouchedCount, to: &result)
    return result
  }
}

/// A copier of the untouched rows of a list, range by range between the touched rows.
private struct UntouchedPieces {
  let delivered: [Int64]
  let places: [Int]
  /// The earliest position of the next untouched row.
  var position = 0
  /// The number of touched rows before it.
  var passed = 0

  /// Copies untouched rows until `count` of them have been copied in total.
  mutating func copy(upTo count: Int, to result: inout [Int64]) {
    while position - passed < count {
      let place = passed < places.count ? places[passed] : delivered.count
      let end = min(place, count + passed)
      result.append(contentsOf: delivered[position..<end])
      position = end
      if position == place, passed < places.count {
        position += 1
        passed += 1
      }
    }
  }
}

/// A set of a few rows, optimized for lookups of each row of a long list.
struct RowFilter: Sendable {
  private let lowest: Int64
  /// The number of identities that the bits represent.
  private let span: UInt64
  private var bits: [UInt64]
  /// Nil if each identity has its own bit; otherwise several identities share one.
  private let rows: Set<Int64>?

  let isEmpty: Bool

  init(_ rows: [Int64]) {
    isEmpty = rows.isEmpty
    lowest = rows.min() ?? 0
    let width = UInt64(bitPattern: (rows.max() ?? 0) &- lowest)
    let room = max(1 << 23, UInt64(rows.count) * 64)
    if width < room {
      span = width + 1
      self.rows = nil
      bits = [UInt64](repeating: 0, count: Int(width / 64 + 1))
    } else {
      span = 0
      self.rows = Set(rows)
      // A power of two, at least sixteen bits for each row.
      var words = 16
      while words * 4 < rows.count { words *= 2 }
      bits = [UInt64](repeating: 0, count: words)
    }
    for row in rows {
      let bit = place(of: row)
      bits[Int(bit >> 6)] |= 1 << (bit & 63)
    }
  }

  @inline(__always)
  private func place(of row: Int64) -> UInt64 {
    let distance = UInt64(bitPattern: row &- lowest)
    return span > 0 ? distance : distance & (UInt64(bits.count) &* 64 &- 1)
  }

  @inline(__always)
  func contains(_ row: Int64) -> Bool {
    let bit = place(of: row)
    guard span == 0 || bit < span else { return false }
    guard bits[Int(bit >> 6)] & (1 << (bit & 63)) != 0 else { return false }
    return rows?.contains(row) ?? true
  }
}

/// A step back from objects to the objects that refer to them, and its SQL.
package struct WayBack: Sendable, Equatable {
  /// The position of the known objects in ``ObservedRegion/sources``.
  package let from: Int
  /// The position of the requested objects, which are nearer to the observed class.
  package let to: Int
  /// The property that leads from one class to the other.
  package let reference: Reference
  /// The class of the known objects.
  package let className: String
  /// Whether the known objects are the owners of the property, as for linking objects.
  ///
  /// Then the old state must be queried as well: a removed link leaves no trace in the new state.
  package let isForward: Bool

  /// Whether the state before the changes must be queried as well.
  package var readsOldState: Bool { isForward }

  /// Returns the query for the identities of the requested objects, possibly with duplicates.
  ///
  /// SQLite uses an index, which every link and every collection of objects has.
  package func sql(_ known: BoundIdentities) -> String {
    let table = SQLName.quote(reference.table)
    let owner = SQLName.quote(reference.owner)
    let column = SQLName.quote(reference.column)
    if isForward {
      return "SELECT \(column) FROM \(table) WHERE \(owner) \(known.condition(at: 1)) "
        + "AND \(column) IS NOT NULL"
    }
    let query = "SELECT \(owner) FROM \(table) WHERE \(column) \(known.condition(at: 1))"
    guard reference.property.type == .any else { return query }
    return "\(query) AND \(AnyValueSQL.isLink(reference.typeColumn, to: className))"
  }
}

package import StrataSchema

/// The rows of results as they were delivered, and what touched rows change in them.
///
/// Rows that weren't touched can't change places with each other. So only the touched ones have to
/// be looked for: each row that belongs to the results now has a *gap*, which is the number of
/// untouched rows before it. It is found by ``gap(atLeast:near:isBefore:)``.
///
/// ```swift
/// let order = RowOrder(delivered: rows, touched: touched)
/// let present = sorted.map { row in (row: row, gap: order.gap { isBefore($0, row) }) }
/// let (rows, changes) = order.change(to: present)
/// ```
package struct RowOrder: Sendable {
  /// The rows in the order in which they were delivered, each of them once.
  package let delivered: [Int64]
  /// Where the touched rows are in `delivered`, ascending.
  private let places: [Int]
  /// The position in `places` of each of them.
  private let numbers: [Int64: Int]

  /// Looks for the touched rows.
  ///
  /// - Parameter isAscending: Whether the rows were delivered in the order of their identities.
  package init(delivered: [Int64], touched: [Int64], isAscending: Bool = false) {
    self.delivered = delivered
    places = Self.positions(of: touched, in: delivered, isAscending: isAscending)
    var numbers: [Int64: Int] = Dictionary(minimumCapacity: places.count)
    for (number, place) in places.enumerated() { numbers[delivered[place]] = number }
    self.numbers = numbers
  }

  /// Where some rows are in a list, ascending. A few rows of one that ascends are looked up; else
  /// all of the list is passed.
  ///
  /// - Parameter isAscending: Whether the rows of the list ascend, each of them once.
  package static func positions(
    of rows: [Int64], in list: [Int64], isAscending: Bool = false
  ) -> [Int] {
    isAscending && rows.count < list.count / rowsPassed
      ? places(of: rows, inAscending: list) : places(of: RowFilter(rows), in: list)
  }

  /// How many rows can be passed while one is looked up.
  private static let rowsPassed = 16

  private static func places(
    of rows: [Int64], inAscending list: [Int64]
  ) -> [Int] {
    var start = 0
    return rows.sorted().compactMap { row in
      var end = list.count
      while start < end {
        let middle = (start + end) / 2
        if list[middle] < row { start = middle + 1 } else { end = middle }
      }
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

  /// An untouched row, by its number among the untouched ones.
  package func untouched(_ number: Int) -> Int64 {
    // The touched rows before it: those with fewer untouched rows before them.
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle] - middle <= number { low = middle + 1 } else { high = middle }
    }
    return delivered[number + low]
  }

  /// The gap in which a row was delivered; nil if it wasn't delivered, or wasn't touched.
  package func deliveredGap(of row: Int64) -> Int? {
    numbers[row].map { places[$0] - $0 }
  }

  /// The gap of a row: how many untouched rows come before it in the new order.
  ///
  /// Asks for about log₂ n untouched rows, and for two where the hint is right.
  ///
  /// - Parameters:
  ///   - lowest: The gap of the row before it in the new order.
  ///   - hint: Where the row probably is: its old gap.
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
    while low < high {
      let middle = (low + high) / 2
      if try isBefore(untouched(middle)) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Changes

  /// The new rows, and what changed.
  ///
  /// A touched row that stays in its gap moves only if others in that gap have to pass it.
  ///
  /// - Parameter present: The touched rows that belong to the results now, in their new order, each
  ///   of them once and with its gap.
  /// - Precondition: Gaps ascend, and are at most ``untouchedCount``.
  package func change(
    to present: [(row: Int64, gap: Int)]
  ) -> (rows: [Int64], changes: ChangeSet) {
    precondition((present.last?.gap ?? 0) <= untouchedCount, "A gap is behind the last row.")
    let changes = changes(to: present)
    guard !changes.deletions.isEmpty || !changes.insertions.isEmpty else {
      return (delivered, changes)
    }
    return (rows(with: present), changes)
  }

  /// The new rows, and what changed: see ``change(to:)``.
  package static func change(
    delivered: [Int64], touched: [Int64], present: [(row: Int64, gap: Int)]
  ) -> (rows: [Int64], changes: ChangeSet) {
    RowOrder(delivered: delivered, touched: touched).change(to: present)
  }

  private func changes(to present: [(row: Int64, gap: Int)]) -> ChangeSet {
    var stays = [Bool](repeating: false, count: places.count)
    var insertions: [Int] = []
    var start = 0
    while start < present.count {
      let gap = present[start].gap
      var end = start
      // Those that were in this gap before: which of them, and their old numbers.
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

  /// Copies the untouched rows in pieces, with the present ones in their gaps.
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

/// Goes through the untouched rows of a list, piece by piece between touched ones.
private struct UntouchedPieces {
  let delivered: [Int64]
  let places: [Int]
  /// Where the next untouched row is at the earliest.
  private var position = 0
  /// The touched rows before it.
  private var passed = 0

  init(delivered: [Int64], places: [Int]) {
    self.delivered = delivered
    self.places = places
  }

  /// Copies untouched rows until there were `count` of them in all.
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

/// A few rows out of many, made to be asked for each row of a long list.
struct RowFilter: Sendable {
  private let lowest: Int64
  /// How many identities the bits stand for.
  private let span: UInt64
  private var bits: [UInt64]
  /// Nil where each identity has a bit of its own; else several share one.
  private let rows: Set<Int64>?

  /// Whether it has no rows at all.
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

/// One step from objects back to those from which they are reached, and its SQL.
package struct WayBack: Sendable {
  /// The objects that are known, as a position in ``ObservedRegion/sources``.
  package let from: Int
  /// The objects that are asked for, likewise. They are nearer to the observed class.
  package let to: Int
  /// The property that leads from the one class to the other.
  package let reference: Reference
  /// The class of the known objects.
  package let className: String
  /// Whether the known objects are those that have the property, as for linking objects.
  ///
  /// Then the state before has to be asked as well: a link that was there has left no trace in the
  /// state after.
  package let isForward: Bool

  /// Whether the state before the changes has to be asked, too.
  package var readsOldState: Bool { isForward }

  /// The query for the identities of the objects that are asked for, some of them several times.
  ///
  /// SQLite answers it by an index, which every link and every collection of objects has.
  ///
  /// - Parameter known: The known objects, which are bound.
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

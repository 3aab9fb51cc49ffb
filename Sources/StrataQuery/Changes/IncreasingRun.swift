/// The longest ascending run that can be picked out of a sequence: what stays when the rest moves.
enum IncreasingRun {
  /// The positions of the members of a longest run, ascending.
  ///
  /// Takes n · log n comparisons at most, and n if the whole sequence ascends.
  ///
  /// - Parameter values: Each of them once.
  static func positions(in values: [Int]) -> [Int] {
    if zip(values, values.dropFirst()).allSatisfy(<) { return Array(values.indices) }
    // For each length, where the run of that length with the smallest last value ends.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: values.count)
    for (position, value) in values.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[position] = ends[low - 1] }
      if low == ends.count { ends.append(position) } else { ends[low] = position }
    }
    var result: [Int] = []
    result.reserveCapacity(ends.count)
    var position = ends.last ?? -1
    while position >= 0 {
      result.append(position)
      position = before[position]
    }
    result.reverse()
    return result
  }
}

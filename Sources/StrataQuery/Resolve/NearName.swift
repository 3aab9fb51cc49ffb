import StrataSchema

/// The name that was probably meant.
package enum NearName {
  /// The name that differs least, if it differs in no more than a third of its letters.
  package static func of(_ name: String, in known: [String]) -> String? {
    // The distance takes time that grows with the product of the lengths.
    guard name.utf8.count <= 100 else { return nil }
    let letters = Array(SQLName.folded(name).unicodeScalars)
    let near = known.map { ($0, distance(letters, Array(SQLName.folded($0).unicodeScalars))) }
      .min { $0.1 < $1.1 }
    guard let near, near.1 <= max(1, letters.count / 3) else { return nil }
    return near.0
  }

  /// How many letters must be added, removed, replaced, or exchanged with the one beside them, to
  /// make one text of another.
  private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var row = Array(0...second.count)
    for line in first.indices {
      var next = [line + 1]
      for column in second.indices {
        let isSame = first[line] == second[column]
        var least = Swift.min(row[column] + (isSame ? 0 : 1), row[column + 1] + 1, next[column] + 1)
        if line > 0, column > 0, first[line] == second[column - 1],
          first[line - 1] == second[column]
        {
          least = Swift.min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, row) = (row, next)
    }
    return row[second.count]
  }
}

/// Finds the name that was probably meant.
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

  /// How many letters must be added, removed or exchanged to make one text of another.
  private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    var row = Array(0...second.count)
    for (line, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in second.indices {
        let substitution = diagonal + (letter == second[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(substitution, diagonal + 1, row[column] + 1)
      }
    }
    return row[second.count]
  }
}

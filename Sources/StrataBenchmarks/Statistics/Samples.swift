/// Several measurements of the same thing, in the order of the passes.
struct Samples: Codable {
  let values: [Double]

  init(_ values: [Double]) {
    self.values = values
  }

  private var sorted: [Double] { values.sorted() }

  var least: Double { sorted[0] }
  var greatest: Double { sorted[values.count - 1] }

  var median: Double {
    let middle = values.count / 2
    return values.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  init(from decoder: any Decoder) throws {
    values = try [Double](from: decoder)
  }

  func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

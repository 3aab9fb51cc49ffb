/// The result for a target, at the largest number of rows.
struct Verdict: Encodable {
  let target: String
  let limit: Double
  let measured: Double
  /// Details of the measured value.
  let detail: String

  var isMet: Bool { measured <= limit }

  /// Nil if the needed measurements are missing.
  init?(_ target: Target, _ sizes: [SizeReport], _ memory: [MemoryReport]) {
    guard let few = sizes.first, let many = sizes.last else { return nil }
    switch target {
    case .ratio(let role, let limit):
      guard let ratio = many.ratio(to: role) else { return nil }
      self.target = "times as long as \(role.title)"
      self.limit = limit
      measured = ratio.median
      detail =
        "\(Format.range(ratio.least, ratio.greatest, Format.number)), least to least "
        + Format.number(ratio.fastest)
    case .milliseconds(let limit):
      self.target = "milliseconds"
      self.limit = limit
      measured = many.strata.median * 1_000
      detail = Format.range(many.strata.least * 1_000, many.strata.greatest * 1_000, Format.number)
    case .growth(let limit):
      guard few.rows < many.rows else { return nil }
      self.target = "times as long for each row as with \(Format.count(few.rows)) rows"
      self.limit = limit
      measured = many.secondsPerUnit / few.secondsPerUnit
      detail = "\(Format.time(few.secondsPerUnit)) → \(Format.time(many.secondsPerUnit))"
    case .memory(let limit):
      guard let first = memory.first, let last = memory.last, first.rows < last.rows else {
        return nil
      }
      self.target = "MB more than with \(Format.count(first.rows)) rows"
      self.limit = limit
      measured = last.megabytes - first.megabytes
      detail = "\(Format.number(first.megabytes)) → \(Format.number(last.megabytes))"
    }
  }

  private enum CodingKeys: CodingKey {
    case target, limit, measured, isMet
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(target, forKey: .target)
    try container.encode(limit, forKey: .limit)
    try container.encode(measured, forKey: .measured)
    try container.encode(isMet, forKey: .isMet)
  }
}

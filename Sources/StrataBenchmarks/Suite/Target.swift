/// What a case is expected to reach.
enum Target {
  /// At most so many times as long as somebody else.
  case ratio(to: Role, atMost: Double)
  /// At most so long, however many rows there are.
  case milliseconds(atMost: Double)
  /// Time per row, at the greatest number of rows compared with that at the smallest.
  case growth(atMost: Double)
  /// Megabytes more at the greatest number of rows than at the smallest.
  case memory(atMost: Double)

  /// What is expected of whatever goes through rows: time grows as they do, memory doesn't.
  static let linear: [Target] = [.growth(atMost: 1.3), .memory(atMost: 16)]

  /// What is expected where rows don't matter. Two such times are so short that they differ by a
  /// few tenths by chance.
  static let constant: [Target] = [
    .milliseconds(atMost: 5), .ratio(to: .fewRows, atMost: 1.5), .memory(atMost: 16),
  ]
}

/// What was measured of a case at one number of rows.
struct SizeReport: Encodable {
  let rows: Int
  /// How many things were done.
  let units: Int
  let contestants: [ContestantReport]
  /// This library compared with each other.
  let ratios: [String: PairedRatio]

  init(rows: Int, units: Int, contestants: [ContestantReport]) {
    self.rows = rows
    self.units = units
    self.contestants = contestants
    let others = contestants.dropFirst().map {
      ($0.role.rawValue, PairedRatio(contestants[0].seconds, to: $0.seconds))
    }
    ratios = Dictionary(uniqueKeysWithValues: others)
  }

  var strata: Samples { contestants[0].seconds }

  var secondsPerUnit: Double { strata.median / Double(units) }

  func ratio(to role: Role) -> PairedRatio? { ratios[role.rawValue] }
}

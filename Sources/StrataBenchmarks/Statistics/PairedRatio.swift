/// How many times as long something takes as something else.
///
/// Each pass has a ratio of its own: what disturbs the machine for a while disturbs both sides.
struct PairedRatio: Codable {
  let median: Double
  let least: Double
  let greatest: Double
  /// The fastest of all passes on either side: what is left where a machine is disturbed often.
  let fastest: Double

  init(_ first: Samples, to second: Samples) {
    let ratios = Samples(zip(first.values, second.values).map { $0 / $1 })
    median = ratios.median
    least = ratios.least
    greatest = ratios.greatest
    fastest = first.least / second.least
  }
}

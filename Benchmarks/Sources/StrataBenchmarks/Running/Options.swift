/// The options of the command line.
struct Options {
  /// The numbers of rows, in ascending order.
  var rows = [10_000, 100_000, 1_000_000]
  var passes = 5
  /// The names of cases, or parts of names; empty for all cases.
  var only: [String] = []
  /// The path of the JSON report.
  var json: String?
  /// The folder for the charts.
  var charts: String?
  var measuresMemory = true
  var onlyLists = false

  /// The text to print instead of running.
  struct Failure: Error {
    let message: String
  }

  static let usage = """
    Usage: StrataBenchmarks [options]
      --rows 10000,1000000   numbers of rows (10000,100000,1000000 unless given)
      --passes 7             how often each is measured (5 unless given)
      --only combine,add     cases whose names contain one of these
      --json FILE            writes all measurements to a file
      --charts FOLDER        draws the measurements
      --no-memory            doesn't measure memory
      --list                 names the cases
    """

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--rows": rows = try Self.numbers(option, rest.popFirst()).sorted()
      case "--passes": passes = try Self.numbers(option, rest.popFirst())[0]
      case "--only": only = try Self.parts(option, rest.popFirst())
      case "--json": json = try Self.value(option, rest.popFirst())
      case "--charts": charts = try Self.value(option, rest.popFirst())
      case "--no-memory": measuresMemory = false
      case "--list": onlyLists = true
      default: throw Failure(message: Self.usage)
      }
    }
  }

  func includes(_ item: Case) -> Bool {
    only.isEmpty || only.contains { item.name.contains($0) }
  }

  private static func value(_ option: String, _ text: String?) throws(Failure) -> String {
    guard let text else { throw Failure(message: "\(option) needs a value.\n\(usage)") }
    return text
  }

  private static func parts(_ option: String, _ text: String?) throws(Failure) -> [String] {
    try value(option, text).split(separator: ",").map(String.init)
  }

  private static func numbers(_ option: String, _ text: String?) throws(Failure) -> [Int] {
    let numbers = try parts(option, text).compactMap { Int($0) }.filter { $0 > 0 }
    guard !numbers.isEmpty else {
      throw Failure(message: "\(option) needs a positive number.\n\(usage)")
    }
    return numbers
  }
}

import Foundation

/// Measures the most memory that a case takes, in a process of its own.
enum MemoryProbe {
  static let argument = "--memory"

  /// The process of its own: does the work once, and prints the megabytes.
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 3, let rows = Int(arguments[2]),
      let item = Case.all.first(where: { $0.name == arguments[0] })
    else { throw Unexpected("\(argument) needs a case, a file and its rows") }
    try item.contestants[0].run(Trial(file: URL(fileURLWithPath: arguments[1]), rows: rows))
    print(try PeakMemory.megabytes())
  }

  /// Starts the process, and waits for it.
  static func measure(_ item: Case, _ file: URL, rows: Int) throws -> Double {
    let output = try Command.output(
      CommandLine.arguments[0], [argument, item.name, file.path, "\(rows)"])
    guard let megabytes = Double(output.split(separator: "\n").last ?? "") else {
      throw Unexpected("'\(item.name)' failed in a process of its own: \(output)")
    }
    return megabytes
  }
}

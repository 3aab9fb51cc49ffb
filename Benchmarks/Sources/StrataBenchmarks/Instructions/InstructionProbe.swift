import Foundation

/// The counter of instructions, which runs cases in child processes under Valgrind.
enum InstructionProbe {
  static let argument = "--instructions-of"

  /// The child process: runs the case.
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 3, let number = Int(arguments[0]), let count = Int(arguments[2]),
      InstructionCase.all.indices.contains(number)
    else { throw Unexpected("\(argument) needs the number of a case, a file and a count") }
    let item = InstructionCase.all[number]
    let realm = try StrataFile.open(URL(fileURLWithPath: arguments[1]), item.types)
    // The first poll for commits of other processes, after 0.2 s, opens a connection. Its 1,400,000
    // instructions must be part of every count, also without operations.
    Thread.sleep(forTimeInterval: 0.6)
    try item.run(realm, count)
  }

  /// The instructions of one operation: the difference to a run without operations, divided by
  /// their number.
  static func count(_ number: Int, _ workspace: Workspace) throws -> Int {
    let item = InstructionCase.all[number]
    func total(_ operations: Int) throws -> Int {
      let file = try workspace.copy(of: item.base, rows: InstructionCase.rows)
      let output = try Command.output(
        "/usr/bin/env",
        [
          // Makes dictionaries deterministic.
          "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "--tool=cachegrind", "--cache-sim=no",
          "--cachegrind-out-file=/dev/null", "--log-fd=1", CommandLine.arguments[0], argument,
          "\(number)", file.path, "\(operations)",
        ])
      // ==1234== I refs:        12,345,678
      guard let line = output.split(separator: "\n").last(where: { $0.contains("refs:") }),
        let count = Int(line.drop { $0 != ":" }.filter(\.isNumber))
      else { throw Unexpected("'\(item.title)' wasn't counted: \(output)") }
      return count
    }
    return (try total(item.operations) - total(0)) / item.operations
  }
}

import Foundation
import Strata

/// Does one thing in a process of its own, and prints the most memory that it took.
enum MemoryProbe {
  static func run(file: URL, mode: String) throws {
    switch mode {
    case "combine": try Cases.combine(file)
    case "iterate":
      let realm = try Realm(
        configuration: .init(fileURL: file, objectTypes: [Models.Before.Person.self]))
      var sum = 0
      for person in realm.objects(Models.Before.Person.self) { sum += person.age }
      guard sum > 0 else { throw Cases.Unexpected() }
    default: throw Cases.Unexpected()
    }
    print(try peakMemory())
  }

  /// The memory in megabytes that a process of its own takes.
  static func measure(file: URL, mode: String) throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["--memory", file.path, mode]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: output, as: UTF8.self).split(separator: "\n").last ?? ""
    guard let megabytes = Double(text) else { throw Cases.Unexpected() }
    return megabytes
  }
}

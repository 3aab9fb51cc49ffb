import Foundation

// Measures this library against SQLite alone, and against code for GRDB that does the same.
//
// The ratios hold on any machine; the times only on this one.

func stop(_ message: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  exit(status)
}

do {
  let arguments = Array(CommandLine.arguments.dropFirst())
  if arguments.first == MemoryProbe.argument {
    try MemoryProbe.run(Array(arguments.dropFirst()))
  } else if arguments.first == InstructionProbe.argument {
    try InstructionProbe.run(Array(arguments.dropFirst()))
  } else if arguments.first == InstructionSuite.argument {
    try InstructionSuite(Array(arguments.dropFirst())).run()
  } else {
    try Suite(Options(arguments)).run()
  }
} catch let failure as Options.Failure {
  stop(failure.message, status: 2)
} catch {
  stop("\(error)", status: 1)
}

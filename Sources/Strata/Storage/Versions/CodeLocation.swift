/// A place in the source of the program.
struct CodeLocation: Hashable, Sendable, CustomStringConvertible {
  let fileID: String
  let line: UInt

  var description: String { "\(fileID):\(line)" }
}

/// A place in the source of the program.
package struct CodeLocation: Hashable, Sendable, CustomStringConvertible {
  package let fileID: String
  package let line: UInt

  package init(fileID: String, line: UInt) {
    self.fileID = fileID
    self.line = line
  }

  package var description: String { "\(fileID):\(line)" }
}

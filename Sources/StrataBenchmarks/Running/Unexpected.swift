/// What must not happen in a benchmark: its numbers would mean nothing.
struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The error of a helper after which a test can't continue.
public struct TestSupportError: Error, CustomStringConvertible {
  /// What went wrong.
  public let description: String

  init(_ description: String) { self.description = description }
}

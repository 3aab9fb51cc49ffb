/// Ends the process because the program made a mistake that would corrupt data if it went on.
///
/// This is the only place of the library that stops a process. It is called for mistakes that are
/// visible in the source of the program (writing outside of a transaction, using a deleted object),
/// never because of the contents of a file.
///
/// - Parameter message: The mistake, its place, and the repair.
package func stopForProgrammerError(_ message: @autoclosure () -> String) -> Never {
  fatalError(message())
}

/// Thrown around what the user's block threw, so that it can be told from the library's own errors.
struct BlockFailure: Error {
  let error: any Error
}

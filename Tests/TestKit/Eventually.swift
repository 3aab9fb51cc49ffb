/// Waits, without blocking the thread, until a condition holds.
///
/// - Returns: False when it doesn't within some minutes: other tests may keep all threads busy.
package func eventually(
  isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool
) async rethrows -> Bool {
  let limit = ContinuousClock.now + .seconds(1_200)
  while ContinuousClock.now < limit, !Task.isCancelled {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return try condition()
}

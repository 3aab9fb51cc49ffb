import Foundation

/// Waits, and blocks the thread, until a condition holds. Tasks use ``eventually(isolation:_:)``.
///
/// - Returns: False when it doesn't within the limit: other tests may keep all threads busy.
package func blockUntil(
  within limit: Duration = .seconds(1_200), _ condition: () throws -> Bool
) rethrows -> Bool {
  let limit = ContinuousClock.now + limit
  while ContinuousClock.now < limit {
    if try condition() { return true }
    usleep(1_000)
  }
  return try condition()
}

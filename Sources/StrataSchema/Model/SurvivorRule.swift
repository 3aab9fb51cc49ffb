/// The rule for which of several objects with the same value stays.
package enum SurvivorRule<Key: Sendable & Hashable>: Sendable, Hashable {
  /// The one that was added first, or last.
  case first, last
  /// The one with the greatest value of a property, or the least; of several the first.
  case greatest(Key)
  case least(Key)

  /// The same rule with its property given otherwise.
  package func map<Other, Failure>(
    _ transform: (Key) throws(Failure) -> Other
  ) throws(Failure) -> SurvivorRule<Other> {
    switch self {
    case .first: .first
    case .last: .last
    case .greatest(let key): .greatest(try transform(key))
    case .least(let key): .least(try transform(key))
    }
  }
}

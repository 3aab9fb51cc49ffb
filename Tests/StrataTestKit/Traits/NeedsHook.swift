import StrataStorage
package import Testing

extension Trait where Self == ConditionTrait {
  /// For what only SQLite's pre-update hook tells: values that were set to what they were, and at
  /// once what the realm itself wrote. `make test-without-hook` runs the tests on an SQLite that
  /// lacks it.
  package static var needsHook: Self {
    .enabled(if: ChangeHook.isAvailable, "The SQLite library lacks the pre-update hook.")
  }
}

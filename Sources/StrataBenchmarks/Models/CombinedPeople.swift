import Strata

/// People with one name instead of two.
enum CombinedPeople {
  final class Person: Object {
    @Persisted var fullName = ""
    @Persisted var age = 0
  }
}

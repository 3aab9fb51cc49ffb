import Strata

/// People with one of two names.
enum PeopleWithoutLastName {
  final class Person: Object {
    @Persisted var firstName = ""
    @Persisted var age = 0
  }
}

import Strata

/// People whose age is a text.
enum PeopleWithAgeText {
  final class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = ""
  }
}

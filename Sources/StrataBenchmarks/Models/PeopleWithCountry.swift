import Strata

/// People who all are from the same country.
enum PeopleWithCountry {
  final class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
    @Persisted var country = "PT"
  }
}

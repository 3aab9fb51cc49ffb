import Strata

/// People whose age has another name.
enum PeopleWithYears {
  final class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var yearsSinceBirth = 0
  }
}

import Strata

/// People who may have an address for mail.
enum PeopleWithEmail {
  final class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
    @Persisted var email: String?
  }
}

import Strata

/// People, as a program knows them that calls them otherwise.
enum Humans {
  final class Human: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
  }
}

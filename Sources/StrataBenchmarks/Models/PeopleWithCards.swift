import Strata

/// People who have a card each.
enum PeopleWithCards {
  final class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
    @Persisted var card: Card?
  }

  final class Card: Object {
    @Persisted var title = ""
  }
}

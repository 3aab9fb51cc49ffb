import Strata

/// People with an address that is a part of them.
enum ResidentsWithin {
  final class Person: Object {
    @Persisted var name = ""
    @Persisted var address: Address?
  }

  final class Address: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var city = ""
  }
}

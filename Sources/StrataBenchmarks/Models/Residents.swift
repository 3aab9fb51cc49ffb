import Strata

/// People with an address each, which is an object of its own.
enum Residents {
  final class Person: Object {
    @Persisted var name = ""
    @Persisted var address: Address?
  }

  final class Address: Object {
    @Persisted var street = ""
    @Persisted var city = ""
  }

  static var base: BaseFile {
    BaseFile("residents", [Person.self, Address.self]) { realm, rows in
      for index in 0..<rows {
        let address = Address()
        address.street = "Street \(index)"
        address.city = "City \(index % 1_000)"
        let person = Person()
        person.name = "Name \(index)"
        person.address = address
        realm.add(person)
      }
    }
  }
}

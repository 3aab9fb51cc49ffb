import Strata

/// People, as most cases begin with them.
enum People {
  final class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
  }

  static var base: BaseFile {
    BaseFile("people", [Person.self]) { realm, rows in
      for index in 0..<rows {
        let person = Person()
        person.firstName = "First \(index)"
        person.lastName = "Last \(index)"
        person.age = index % 100
        realm.add(person)
      }
    }
  }
}

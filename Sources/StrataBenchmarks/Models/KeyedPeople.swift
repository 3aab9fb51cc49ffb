import Strata

/// People with a primary key.
enum KeyedPeople {
  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
  }

  /// The keys are those that SQLite itself gives to the rows.
  static var base: BaseFile {
    BaseFile("keyed", [Person.self]) { realm, rows in
      for index in 0..<rows {
        let person = Person()
        person.id = index + 1
        person.firstName = "First \(index)"
        person.lastName = "Last \(index)"
        person.age = index % 100
        realm.add(person)
      }
    }
  }
}

import Strata

/// People with numbers that are no keys.
enum NumberedPeople {
  final class Person: Object {
    @Persisted var id = 0
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
  }

  /// A file without rows: those are what the case adds.
  static var empty: BaseFile { BaseFile("nobody", [Person.self]) { _, _ in } }

  /// Unique numbers in no order.
  static var base: BaseFile {
    BaseFile("numbered", [Person.self]) { realm, rows in
      for index in 0..<rows {
        let person = Person()
        // An odd factor gives each index another number.
        person.id = index &* 0x1E37_79B9_7F4A_7C15
        person.firstName = "First \(index)"
        person.lastName = "Last \(index)"
        person.age = index % 100
        realm.add(person)
      }
    }
  }
}

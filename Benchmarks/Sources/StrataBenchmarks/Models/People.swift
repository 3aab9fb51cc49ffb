import Strata

/// People, the base of most cases, and their classes after migrations.
enum People {
  final class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
  }

  /// One name instead of two.
  enum Combined {
    final class Person: Object {
      @Persisted var fullName = ""
      @Persisted var age = 0
    }
  }

  enum WithoutLastName {
    final class Person: Object {
      @Persisted var firstName = ""
      @Persisted var age = 0
    }
  }

  enum WithAgeText {
    final class Person: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var age = ""
    }
  }

  enum WithCountry {
    final class Person: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var age = 0
      @Persisted var country = "PT"
    }
  }

  enum WithEmail {
    final class Person: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var age = 0
      @Persisted var email: String?
    }
  }

  /// The age under another name.
  enum WithYears {
    final class Person: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var yearsSinceBirth = 0
    }
  }

  /// A card for each person.
  enum WithCards {
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

  /// The class under another name.
  final class Human: Object {
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

/// People with numbers that are not primary keys.
enum NumberedPeople {
  final class Person: Object {
    @Persisted var id = 0
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
  }

  /// A person with a number.
  static func person(_ number: Int) -> Person {
    let person = Person()
    person.id = number
    person.firstName = "First \(number)"
    person.lastName = "Last \(number)"
    person.age = number % 100
    return person
  }

  /// A file without rows: the case adds them.
  static var empty: BaseFile { BaseFile("numbered-empty", [Person.self]) { _, _ in } }

  /// Unique numbers in no order.
  static var base: BaseFile {
    BaseFile("numbered", [Person.self]) { realm, rows in
      for index in 0..<rows {
        let person = Person()
        // Multiplication by an odd factor is injective.
        person.id = index &* 0x1E37_79B9_7F4A_7C15
        person.firstName = "First \(index)"
        person.lastName = "Last \(index)"
        person.age = index % 100
        realm.add(person)
      }
    }
  }
}

/// People with a primary key.
enum KeyedPeople {
  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
  }

  /// A file whose keys equal the row numbers of SQLite.
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

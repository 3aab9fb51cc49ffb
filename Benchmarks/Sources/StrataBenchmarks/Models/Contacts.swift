import Strata

/// Five changes of a class of people. Each class has one change from the previous one.
enum Contacts {
  enum Start {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var city = ""
      @Persisted var phone = ""
      @Persisted var fax = ""
    }
  }

  enum WithoutPhone {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var city = ""
      @Persisted var fax = ""
    }
  }

  enum WithoutFax {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var city = ""
    }
  }

  enum WithAgeText {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var age = ""
      @Persisted var city = ""
    }
  }

  enum WithCountry {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var age = ""
      @Persisted var city = ""
      @Persisted var country = "PT"
    }
  }

  enum WithTown {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var age = ""
      @Persisted var town = ""
      @Persisted var country = "PT"
    }
  }

  static var base: BaseFile {
    BaseFile("contacts", [Start.Person.self]) { realm, rows in
      for index in 0..<rows {
        let person = Start.Person()
        person.name = "Name \(index)"
        person.age = index % 100
        person.city = "City \(index % 1_000)"
        person.phone = "Phone \(index)"
        person.fax = "Fax \(index)"
        realm.add(person)
      }
    }
  }
}

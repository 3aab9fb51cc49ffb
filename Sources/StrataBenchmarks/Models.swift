import Strata

/// The versions of the class that is migrated.
enum Models {
  enum Before {
    final class Person: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var age = 0
    }
  }

  enum Added {
    final class Person: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var age = 0
      @Persisted var email: String?
    }
  }

  enum Renamed {
    final class Person: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var yearsSinceBirth = 0
    }
  }

  enum Combined {
    final class Person: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var age = 0
      @Persisted var fullName = ""
    }
  }
}

package import Strata

/// Many objects with numbers, and the next versions of their class.
package enum Numbered {
  package enum Old {
    package class Person: Object {
      @Persisted package var number = 0
      @Persisted package var name = ""
      @Persisted package var surname = ""
      @Persisted package var note: AnyRealmValue
    }
  }
  /// The same columns: rows are changed where they are.
  package enum Same {
    package class Person: Object {
      @Persisted package var number = 0
      @Persisted package var name = ""
      @Persisted package var surname = ""
      @Persisted package var note: AnyRealmValue
      @Persisted package var friend: Person?
      @Persisted package var made: Int?
    }
  }
  /// A column has another type: the table is rebuilt.
  package enum Retyped {
    package class Person: Object {
      @Persisted package var number = "none"
      @Persisted package var name = ""
      @Persisted package var surname = ""
      @Persisted package var note: AnyRealmValue
      @Persisted package var friend: Person?
      @Persisted package var made: Int?
    }
  }
}

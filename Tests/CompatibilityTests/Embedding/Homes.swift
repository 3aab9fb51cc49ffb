import Strata

/// Classes where `Home` is an object, and the same where it is an embedded one.
///
/// A home has a geo of its own, which is an object as well, and a landlord, who is not its own.
enum Homes {
  enum TopLevel {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var home: Home?
      @Persisted var homes: List<Home>
      @Persisted var places: Map<String, Home?>
    }
    class Shop: Object {
      @Persisted var name = ""
      @Persisted var home: Home?
    }
    class Home: Object {
      @Persisted var name = ""
      @Persisted var landlord: Person?
    }
    static let types: [ObjectBase.Type] = [Person.self, Shop.self, Home.self]
  }

  enum Embedded {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var home: Home?
      @Persisted var homes: List<Home>
      @Persisted var places: Map<String, Home?>
    }
    class Shop: Object {
      @Persisted var name = ""
      @Persisted var home: Home?
    }
    class Home: EmbeddedObject {
      @Persisted var name = ""
      @Persisted var landlord: Person?
    }
    static let types: [ObjectBase.Type] = [Person.self, Shop.self, Home.self]
  }

  static let refusal = "Cannot convert 'Home' to embedded: "
  static let orphan =
    refusal + "at least one object has no incoming links and would be deleted. "
    + "At least one object does not have a backlink (data would get lost)."
  static let shared =
    refusal + "at least one object has more than one incoming link. "
    + "At least one object does have multiple backlinks."
}

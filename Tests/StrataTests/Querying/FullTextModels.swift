import Strata

/// Versions of classes with full-text indexes.
enum Texts {
  enum Plain {
    class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var bio = ""
      @Persisted var note: String?
      @Persisted var friend: Person?
      @Persisted var friends: List<Person>
    }
  }

  enum Searchable {
    class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted(fullText: true) var bio = ""
      @Persisted(fullText: true) var note: String?
      @Persisted var friend: Person?
      @Persisted var friends: List<Person>
    }
  }

  /// Everything has another name, and the note must be there, which rebuilds the table.
  enum Renamed {
    class Human: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted(fullText: true) var life = ""
      @Persisted(fullText: true) var note = ""
      @Persisted var friend: Human?
      @Persisted var friends: List<Human>
    }
  }

  class `Größe.x`: Object {
    @Persisted var _id = 0
    @Persisted(fullText: true) var text = ""
    @Persisted(fullText: true) var other: String?

    override class func className() -> String { #"a"b 'größe'"# }
    override class func propertiesMapping() -> [String: String] {
      ["text": #"te"x't.x"#, "other": "content=x, ö"]
    }
  }

  class Wrong: Object {
    @Persisted(fullText: true) var number = 0
    @Persisted(fullText: true) var rank = ""
    @Persisted(fullText: true) var words: List<String>
  }
}

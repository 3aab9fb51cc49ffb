import Strata

// The catalogue of a library. Its versions are stages of a plan: each knows the previous one, and
// no later ones.

enum BooksV1: VersionedSchema {
  static let version = 1

  class Book: Object {
    @Persisted var title = ""
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var shelf = 0
  }
}

enum BooksV2: VersionedSchema {
  static let version = 2

  /// The author has one name, and the shelf has its full label.
  class Book: Object {
    @Persisted var title = ""
    @Persisted var author = ""
    @Persisted var shelf = ""
  }
}

enum BooksV3: VersionedSchema {
  static let version = 3

  /// Authors are objects of their own.
  class Book: Object {
    @Persisted var title = ""
    @Persisted var author: Author?
    @Persisted var shelf = ""
  }

  class Author: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(originProperty: "author") var books: LinkingObjects<Book>
  }
}

enum BooksV4: VersionedSchema {
  static let version = 4

  /// A place is more than a shelf. Only the name changes, so the stage has no closure.
  class Book: Object {
    @Persisted(indexed: true) var title = ""
    @Persisted var author: Author?
    @Persisted var place = ""
  }

  class Author: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(originProperty: "author") var books: LinkingObjects<Book>
  }
}

extension SchemaMigrationPlan {
  /// Every version of the catalogue, and the closures that migrate between them.
  static let books: SchemaMigrationPlan = [
    .version(BooksV1.self),
    .version(BooksV2.self) { migration in
      migration.enumerate(BooksV1.Book.self, BooksV2.Book.self) { old, new in
        new.author = old.firstName + " " + old.lastName
        new.shelf = "Shelf \(old.shelf)"
      }
    },
    .version(BooksV3.self) { migration in
      var authors: [String: BooksV3.Author] = [:]
      migration.enumerate(BooksV2.Book.self, BooksV3.Book.self) { old, new in
        let author =
          authors[old.author]
          ?? migration.create(BooksV3.Author.self, value: ["name": old.author])
        authors[old.author] = author
        new.author = author
      }
    },
    .version(BooksV4.self).renaming("Book.shelf", to: "place"),
  ]
}

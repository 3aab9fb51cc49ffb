import Foundation
import Strata
import StrataTestSupport
import Testing

@testable import StrataExample

/// The files that old versions of the example wrote, tested with the kit.
@Suite struct FixtureTests {
  private func fixtures(_ name: String) throws -> SchemaFixtures {
    SchemaFixtures(name, in: try Fixtures.folder())
  }

  private static let anywhere = URL(fileURLWithPath: "/nowhere.sqlite")

  @Test func `Every version of the address book migrates`() async throws {
    try await fixtures("AddressBook").verifyMigrations(
      to: Newest.configuration(Self.anywhere)
    ) { _, realm in
      #expect(realm.objects(Newest.Person.self).count == 350)
    }
  }

  @Test func `Every version of the pet owners migrates`() async throws {
    try await fixtures("PetOwners").verifyMigrations(
      to: PetOwnersV5.configuration(Self.anywhere)
    ) { _, realm in
      #expect(realm.objects(PetOwnersV5.Person.self).count == 3)
    }
  }

  @Test func `A file that RealmSwift wrote becomes one of today`() {
    #expect(throws: Never.self) { try leaveRealm() }
  }

  /// The contents of a file of each version, written with the classes of that version.
  private static let books: [@Sendable (Realm) -> Void] = [
    {
      $0.create(BooksV1.Book.self, value: ["Emma", "Jane", "Austen", 3])
      $0.create(BooksV1.Book.self, value: [])
    },
    {
      $0.create(BooksV2.Book.self, value: ["Emma", "Jane Austen", "Shelf 3"])
      $0.create(BooksV2.Book.self, value: [])
    },
    {
      let author = $0.create(BooksV3.Author.self, value: ["Jane Austen"])
      $0.create(BooksV3.Book.self, value: ["Emma", author, "Shelf 3"])
      $0.create(BooksV3.Book.self, value: [])
    },
    {
      let author = $0.create(BooksV4.Author.self, value: ["Jane Austen"])
      $0.create(BooksV4.Book.self, value: ["Emma", author, "Shelf 3"])
      $0.create(BooksV4.Book.self, value: [])
    },
  ]

  @Test func `The catalogue of books is frozen and migrates`() async throws {
    let fixtures = try fixtures("Books")
    for (index, books) in Self.books.enumerated() {
      let plan = SchemaMigrationPlan(Array(SchemaMigrationPlan.books.stages[...index]))
      try fixtures.expectFrozen(Realm.Configuration(migrationPlan: plan)) { realm in
        try realm.write { books(realm) }
      }
    }
    try await fixtures.verifyMigrations(to: Realm.Configuration(migrationPlan: .books)) {
      _, realm in
      let books = realm.objects(BooksV4.Book.self)
      #expect(books.map(\.title) == ["Emma", ""])
      #expect(books.first?.author?.name == "Jane Austen")
      #expect(books.first?.place == "Shelf 3")
    }
  }
}

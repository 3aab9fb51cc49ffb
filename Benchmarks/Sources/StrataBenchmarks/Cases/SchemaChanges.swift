import Foundation
import GRDB
import Strata

/// Migrations without a closure that sees rows.
extension Case {
  static var addOptional: Case {
    constant(
      name: "add-optional", title: "optional property added",
      sql: "ALTER TABLE Person ADD COLUMN email TEXT", to: [People.WithEmail.Person.self])
  }

  static var addRequired: Case {
    constant(
      name: "add-required", title: "required property added, with a default",
      sql: "ALTER TABLE Person ADD COLUMN country TEXT NOT NULL DEFAULT 'PT'",
      to: [People.WithCountry.Person.self])
  }

  static var renameProperty: Case {
    constant(
      name: "rename", title: "property renamed",
      sql: "ALTER TABLE Person RENAME COLUMN age TO yearsSinceBirth",
      to: [People.WithYears.Person.self]
    ) { migration, _ in
      migration.renameProperty(onType: "Person", from: "age", to: "yearsSinceBirth")
    }
  }

  static var renameClass: Case {
    constant(
      name: "rename-class", title: "class renamed", sql: "ALTER TABLE Person RENAME TO Human",
      to: [People.Human.self]
    ) { migration, _ in
      migration.renameClass(from: "Person", to: "Human")
    }
  }

  /// A change in constant time.
  private static func constant(
    name: String, title: String, sql: String, to types: [ObjectBase.Type],
    _ block: MigrationBlock? = nil
  ) -> Case {
    Case(
      name: name, title: title, base: People.base, targets: Target.constant,
      units: { _ in 1 },
      contestants: [
        .strata(to: types, block), .sql(migration: sql), .strata(.fewRows, to: types, block),
      ])
  }

  static var removeProperty: Case {
    Case(
      name: "remove",
      title: "property removed",
      base: People.base,
      targets: [.ratio(to: .sql, atMost: 1.1)] + Target.linear,
      contestants: [
        .strata(to: [People.WithoutLastName.Person.self]),
        .sql(migration: "ALTER TABLE Person DROP COLUMN lastName"),
      ])
  }

  static var addPrimaryKey: Case {
    Case(
      name: "primary-key",
      title: "property with unique values becomes the primary key",
      base: NumberedPeople.base,
      targets: [.ratio(to: .sql, atMost: 1.3)] + Target.linear,
      contestants: [
        .strata(to: [KeyedPeople.Person.self]),
        .sql(migration: "CREATE UNIQUE INDEX \"Person.id\" ON Person (id)"),
      ])
  }

  static var embedObjects: Case {
    Case(
      name: "embed",
      title: "class becomes an embedded one, with one parent for each object",
      base: Residents.base,
      targets: [.ratio(to: .sql, atMost: 2)] + Target.linear,
      contestants: [
        .strata(to: [Residents.Embedded.Person.self, Residents.Embedded.Address.self]),
        Contestant(.sql, whole: embedWithSQL),
      ])
  }
}

/// Only checks that each row has exactly one parent: the rows don't change.
private func embedWithSQL(_ file: URL) throws {
  try PlainDatabase.migrate(file) { db in
    let orphan = try Int.fetchOne(
      db,
      sql: """
        SELECT _id FROM Address
        WHERE NOT EXISTS (SELECT 1 FROM Person WHERE address = Address._id) LIMIT 1
        """)
    let shared = try Int.fetchOne(
      db,
      sql: """
        SELECT address FROM Person WHERE address IS NOT NULL
        GROUP BY address HAVING count(*) > 1 LIMIT 1
        """)
    guard orphan == nil, shared == nil else { throw Unexpected("an address is not embeddable") }
  }
}

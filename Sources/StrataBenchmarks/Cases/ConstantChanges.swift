import Foundation
import GRDB
import Strata

/// Changes whose time doesn't depend on the rows.
extension Case {
  static var addOptional: Case {
    constant(
      name: "add-optional", title: "optional property added",
      sql: "ALTER TABLE Person ADD COLUMN email TEXT"
    ) { try StrataFile.migrate($0, to: [PeopleWithEmail.Person.self]) }
  }

  static var addRequired: Case {
    constant(
      name: "add-required", title: "required property added, with a default",
      sql: "ALTER TABLE Person ADD COLUMN country TEXT NOT NULL DEFAULT 'PT'"
    ) { try StrataFile.migrate($0, to: [PeopleWithCountry.Person.self]) }
  }

  static var renameProperty: Case {
    constant(
      name: "rename", title: "property renamed",
      sql: "ALTER TABLE Person RENAME COLUMN age TO yearsSinceBirth"
    ) { file in
      try StrataFile.migrate(file, to: [PeopleWithYears.Person.self]) { migration, _ in
        migration.renameProperty(onType: "Person", from: "age", to: "yearsSinceBirth")
      }
    }
  }

  static var renameClass: Case {
    constant(
      name: "rename-class", title: "class renamed", sql: "ALTER TABLE Person RENAME TO Human"
    ) { file in
      try StrataFile.migrate(file, to: [Humans.Human.self]) { migration, _ in
        migration.renameClass(from: "Person", to: "Human")
      }
    }
  }

  private static func constant(
    name: String, title: String, sql: String, _ migrate: @escaping (URL) throws -> Void
  ) -> Case {
    Case(
      name: name, title: title, base: People.base, targets: Target.constant,
      units: { _ in 1 },
      contestants: [
        Contestant(.strata, whole: migrate),
        Contestant(.sql, whole: { try PlainDatabase.migrate($0, sql: sql) }),
        Contestant(.fewRows, whole: migrate),
      ])
  }
}

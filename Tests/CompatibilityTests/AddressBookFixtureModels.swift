import Strata

/// The classes of each version of the example's address book, as its files were written with.
enum AddressBookFixture {
  static let types: [Object.Type] = [
    V0.Person.self, V1.Person.self, V2.Person.self, V3.Person.self, V4.Person.self, V5.Person.self,
  ]

  enum V0 {
    class Person: Object {
      @Persisted var id = 0
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var age = 0
    }
  }

  enum V1 {
    class Person: Object {
      @Persisted var id = 0
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var age = 0
      @Persisted var email: String?
    }
  }

  enum V2 {
    class Person: Object {
      @Persisted var id = 0
      @Persisted var fullName = ""
      @Persisted var age = 0
      @Persisted var email: String?
    }
  }

  enum V3 {
    class Person: Object {
      @Persisted var id = 0
      @Persisted var fullName = ""
      @Persisted var age = ""
      @Persisted var email: String?
    }
  }

  enum V4 {
    class Person: Object {
      @Persisted var id = 0
      @Persisted var fullName = ""
      @Persisted var yearsSinceBirth = ""
      @Persisted var email: String?
    }
  }

  enum V5 {
    class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var fullName = ""
      @Persisted var yearsSinceBirth = ""
      @Persisted var email: String?
    }
  }

  /// The migration block that migrates files of every older version to a version.
  static func migrationBlock(to newVersion: UInt64) -> MigrationBlock {
    { migration, oldVersion in
      func passes(_ version: UInt64) -> Bool { oldVersion < version && version <= newVersion }

      if oldVersion == 3, passes(4) {
        migration.renameProperty(onType: "Person", from: "age", to: "yearsSinceBirth")
      }
      migration.enumerateObjects(ofType: "Person") { old, new in
        if passes(2) {
          let names = [old!["firstName"] as? String, old!["lastName"] as? String]
          new!["fullName"] = names.compactMap(\.self).filter { !$0.isEmpty }
            .joined(separator: " ")
        }
        if passes(3) {
          let property = newVersion >= 4 ? "yearsSinceBirth" : "age"
          new![property] = "\(old!["age"] as? Int ?? -1)"
        }
      }
      if passes(5) { resolveDuplicates(migration) }
    }
  }

  private static func resolveDuplicates(_ migration: Migration) {
    var entries: [Int: Set<String>] = [:]
    var highest = 0
    migration.enumerateObjects(ofType: "Person") { old, _ in
      highest = max(highest, old?.id as? Int ?? 0)
    }
    migration.enumerateObjects(ofType: "Person") { _, new in
      guard let new, let id = new.id as? Int else { return }
      let isFirst = entries[id] == nil
      let isNew = entries[id, default: []].insert("\(new)").inserted
      if !isNew {
        migration.delete(new)
      } else if !isFirst {
        highest += 1
        new.id = highest
      }
    }
  }
}

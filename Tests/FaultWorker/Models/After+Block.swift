import Strata

extension After {
  /// Uses all that a migration block can do.
  @Sendable static func migrate(_ migration: Migration, _ oldSchemaVersion: UInt64) {
    migration.renameProperty(
      onType: Person.className(), from: "age", to: "yearsSinceBirth")
    migration.renameClass(from: "Town", to: City.className())
    let pets = turnDogsIntoPets(migration)
    changePeople(migration, pets)
    renumberAccounts(migration)
    migration.deleteData(forType: "Dog")
    migration.deleteData(forType: "Draft")
    migration.embedObjects(ofType: Address.className(), orphans: .delete, shared: .copy)
  }

  private static func turnDogsIntoPets(
    _ migration: Migration
  ) -> [MigrationObject: MigrationObject] {
    var pets: [MigrationObject: MigrationObject] = [:]
    migration.enumerateObjects(ofType: "Dog") { oldObject, _ in
      pets[oldObject!] = migration.create(
        Pet.className(), value: ["name": oldObject!["name"] as String?])
    }
    return pets
  }

  private static func changePeople(
    _ migration: Migration, _ pets: [MigrationObject: MigrationObject]
  ) {
    var previous: MigrationObject?
    var number = 0
    migration.enumerateObjects(ofType: Person.className()) { oldObject, newObject in
      let old = oldObject!
      let new = newObject!
      number += 1
      if number % 13 == 0 {
        migration.delete(new)
        return
      }
      let names: [String?] = [old["firstName"], old["lastName"]]
      new["fullName"] = names.compactMap(\.self).joined(separator: " ")
      new["points"] = (old["points"] as Int?)?.description ?? ""
      new["mood"] = number % 2 == 0 ? "merry" : "calm"
      new["friend"] = previous
      guard let dogs = old["dogs"] as? List<MigrationObject> else { return }
      new["pets"] = dogs.compactMap { pets[$0] }
      new["petsByRole"] = ["best": dogs.first.flatMap { pets[$0] }]
      (new["tags"] as? MutableSet<String>)?.insert("migrated")
      previous = new
    }
  }

  /// Makes the numbers unique: they are keys in the program, and have duplicates in the file.
  private static func renumberAccounts(_ migration: Migration) {
    var seen: Set<Int> = []
    migration.enumerateObjects(ofType: Account.className()) { oldObject, newObject in
      // Nil when the disk fails, which the migration throws when the block has returned.
      let number: Int = oldObject!["number"] ?? 0
      if !seen.insert(number).inserted { newObject!["number"] = number + 1_000 }
    }
    migration.create(Account.className(), value: ["number": 5_000, "amount": 1])
  }
}

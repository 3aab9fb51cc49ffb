import Strata

// The classes of docs/swiftui.md.

final class Contact: Object, ObjectKeyIdentifiable {
  @Persisted var name = ""
  @Persisted var isFavourite = false
  @Persisted var phones: List<Phone>

  var initial: String { String(name.prefix(1)) }
}

final class Phone: Object, ObjectKeyIdentifiable {
  @Persisted var number = ""
}

func addFriends() throws {
  let realm = try Realm()
  try realm.write { realm.add(Contact(value: ["name": "Ada", "phones": [["number": "1815"]]])) }
}

func countAfterAdding() throws -> Int {
  let configuration = Realm.Configuration(
    inMemoryIdentifier: "test", objectTypes: [Contact.self, Phone.self])
  return try Realm.withConfiguration(configuration) {
    let realm = try Realm()
    try addFriends()
    return realm.objects(Contact.self).count
  }
}

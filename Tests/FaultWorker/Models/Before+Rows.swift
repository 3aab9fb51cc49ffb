import Strata

extension Before {
  /// Fills an empty file, always with the same.
  static func fill(_ realm: Realm, people: Int = 26, accounts: Int = 120) throws {
    try realm.write {
      let dogs = (0..<30).map { realm.create(Dog.self, value: ["name": "dog \($0)"]) }
      for number in 0..<people {
        let person = realm.create(
          Person.self,
          value: [
            "firstName": "first \(number)", "lastName": "last \(number)", "age": number % 90,
            "points": number * 3, "balance": Double(number) / 4, "town": "town \(number % 7)",
          ])
        if number % 3 == 0 { person.nickname = "nick \(number)" }
        person.note = number % 2 == 0 ? .string("note \(number)") : .object(dogs[number % 30])
        person.best = dogs[(number * 7) % 30]
        person.dogs.append(objectsIn: [dogs[number % 30], dogs[(number + 11) % 30]])
        person.tags.insert("tag \(number % 5)")
        person.marks["first"] = number
        // Every tenth address is shared with the next person.
        person.address =
          number % 10 == 1
          ? realm.objects(Address.self).last : Address(value: ["street": "street \(number)"])
      }
      realm.create(Address.self, value: ["street": "nobody's"])
      // The last numbers are duplicates, until the block changes them.
      for number in 0..<accounts {
        realm.create(Account.self, value: ["number": number % 115, "amount": number])
      }
      for number in 0..<20 { realm.create(Town.self, value: ["t\(number)", number]) }
      for number in 0..<50 { realm.create(Draft.self, value: ["text": "draft \(number)"]) }
    }
  }
}

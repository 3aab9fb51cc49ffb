import Strata

extension Job {
  /// One transaction of a program that goes on with its file: objects, links, collections.
  static let write = Job(prepare: migrate.prepare) { file in
    let realm = try Realm(configuration: Before.configuration(file))
    try realm.write {
      for person in realm.objects(Before.Person.self) { person.points += 1 }
      for number in 0..<20 {
        let person = realm.create(Before.Person.self, value: ["firstName": "new \(number)"])
        person.dogs.append(Before.Dog(value: ["name": "puppy \(number)"]))
        person.marks["new"] = number
        person.tags.insert("new")
      }
      let first = realm.objects(Before.Person.self).first!
      first.dogs.removeAll()
      first.address = nil
      first.note = .int(7)
      for dog in realm.objects(Before.Dog.self).prefix(10) { realm.delete(dog) }
      realm.delete(realm.objects(Before.Draft.self))
    }
  }
}

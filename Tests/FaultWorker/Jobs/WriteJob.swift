import Foundation
import Strata

extension Job {
  /// One transaction of a program, which closes the file after it.
  static let write = Job(prepare: migrate.prepare) { file in
    let realm = try Realm(configuration: Before.configuration(file))
    try realm.write {
      change(realm)
      create(realm)
    }
  }

  /// Writes a transaction in a program that keeps the file open. It creates no objects: a second
  /// attempt would give them other identities.
  static let writeKeepingOpen = Job(prepare: migrate.prepare) { file in
    let realm = try kept ?? Realm(configuration: Before.configuration(file))
    kept = realm
    try realm.write { change(realm) }
  }

  /// Only the main thread does jobs.
  nonisolated(unsafe) private static var kept: Realm?

  private static func change(_ realm: Realm) {
    for person in realm.objects(Before.Person.self) {
      person.points += 1
      person.marks["new"] = person.points
      person.tags.insert("new")
    }
    let first = realm.objects(Before.Person.self).first
    first?.dogs.removeAll()
    first?.address = nil
    first?.note = .int(7)
    for dog in realm.objects(Before.Dog.self).prefix(10) { realm.delete(dog) }
    realm.delete(realm.objects(Before.Draft.self))
  }

  private static func create(_ realm: Realm) {
    for number in 0..<20 {
      let person = realm.create(Before.Person.self, value: ["firstName": "new \(number)"])
      person.dogs.append(Before.Dog(value: ["name": "puppy \(number)"]))
    }
  }
}

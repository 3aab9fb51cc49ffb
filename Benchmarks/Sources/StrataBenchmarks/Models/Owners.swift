import Strata

/// People with dogs and tags, for queries.
enum Owners {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var code = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
    @Persisted var nick: String?
    @Persisted var isSeen = false
    @Persisted var dog: Pet?
    @Persisted var dogs: List<Pet>
    @Persisted var tags: MutableSet<String>
  }

  final class Pet: Object {
    @Persisted(indexed: true) var name = ""
    @Persisted var age = 0
  }

  static let types: [ObjectBase.Type] = [Owner.self, Pet.self]

  /// A file with a fifth as many dogs as people. Each list has two dogs, and nine of ten people
  /// link to one.
  static var base: BaseFile {
    BaseFile("owners", types) { realm, rows in
      let dogs = (0..<max(1, rows / 5)).map { index -> Pet in
        let dog = Pet()
        dog.name = "Dog \(index % 20_000)"
        dog.age = index % 20
        return dog
      }
      realm.add(dogs)
      for index in 0..<rows { realm.add(owner(index, dogs)) }
    }
  }

  private static let initials = (0..<26).map { String(UnicodeScalar(UInt8(65 + $0))) }

  private static func owner(_ index: Int, _ dogs: [Pet]) -> Owner {
    let owner = Owner()
    owner.id = index
    owner.code = index &* 7_919 % 1_000_000
    owner.name = "Näme \(index % 50_000)"
    owner.lastName = "\(initials[index % 26])last \(index % 1_000)"
    owner.age = index % 100
    owner.nick = index % 3 == 0 ? nil : "Nick \(index % 500)"
    if index % 10 != 0 { owner.dog = dogs[index &* 31 % dogs.count] }
    owner.dogs.append(dogs[index % dogs.count])
    owner.dogs.append(dogs[index &* 17 % dogs.count])
    owner.tags.insert("tag \(index % 1_000)")
    owner.tags.insert("tag \(index % 7)")
    return owner
  }
}

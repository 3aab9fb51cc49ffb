import Foundation
import Strata

/// A workload whose processor instructions are counted. The count doesn't depend on other processes
/// of the machine.
struct InstructionCase {
  /// The number of rows in the file.
  static let rows = 20_000

  /// The name of the operation in the table of the repository.
  let title: String
  let base: BaseFile
  let types: [ObjectBase.Type]
  /// The number of repetitions.
  let operations: Int
  /// Prepares the work, and runs it `operations` times; 0 means only the preparation.
  let run: (Realm, _ operations: Int) throws -> Void
}

extension InstructionCase {
  static var all: [InstructionCase] { queries + loops + changes + openings }

  /// Reads members by their numbers, in no order.
  private static func lookUp(
    _ title: String, _ body: @escaping (Realm, _ index: Int) -> Int
  ) -> InstructionCase {
    InstructionCase(
      title: title, base: Member.base, types: [Member.self], operations: 2_000
    ) { realm, operations in
      // Warms up, so that one-time work isn't counted.
      var sum = (0..<10).reduce(0) { $0 + body(realm, $1) }
      for number in 0..<operations { sum &+= body(realm, (number &* 7_919) % rows) }
      guard sum != .min else { throw Unexpected("nothing was read") }
    }
  }

  private static var queries: [InstructionCase] {
    [
      lookUp("`objects(_:)`") { realm, _ in
        withExtendedLifetime(realm.objects(Member.self)) { 1 }
      },
      lookUp("`where` with one condition, not asked") { realm, index in
        let email = Member.email(index)
        return withExtendedLifetime(realm.objects(Member.self).where { $0.email == email }) { 1 }
      },
      lookUp("`where` with one condition, `first`") { realm, index in
        let email = Member.email(index)
        return realm.objects(Member.self).where { $0.email == email }.first == nil ? 0 : 1
      },
      lookUp("`where` with one condition, `count`") { realm, index in
        let email = Member.email(index)
        return realm.objects(Member.self).where { $0.email == email }.count
      },
      lookUp("`where` with two conditions, `first`") { realm, index in
        let email = Member.email(index)
        return realm.objects(Member.self).where { $0.email == email && $0.age >= 0 }.first == nil
          ? 0 : 1
      },
      lookUp("`where` and `sorted`, `first`") { realm, index in
        let email = Member.email(index)
        return realm.objects(Member.self).where { $0.email == email }.sorted(byKeyPath: "age").first
          == nil ? 0 : 1
      },
      lookUp("`filter(\"email == %@\")`, `first`") { realm, index in
        realm.objects(Member.self).filter("email == %@", Member.email(index)).first == nil ? 0 : 1
      },
      lookUp("object by primary key") { realm, index in
        realm.object(ofType: Member.self, forPrimaryKey: index + 1) == nil ? 0 : 1
      },
      existingResults("results that exist, `count`") { $0.count },
      existingResults("results that exist, `first`") { $0.first == nil ? 0 : 1 },
    ]
  }

  private static func existingResults(
    _ title: String, _ body: @escaping (Results<Member>) -> Int
  ) -> InstructionCase {
    InstructionCase(
      title: title, base: Member.base, types: [Member.self], operations: 2_000
    ) { realm, operations in
      let results = realm.objects(Member.self).where { $0.email == Member.email(1) }
      var sum = body(results)
      for _ in 0..<operations { sum &+= body(results) }
      guard sum > 0 else { throw Unexpected("nothing was found") }
    }
  }

  private static func loop(
    _ title: String, _ body: @escaping (Results<People.Person>, _ operations: Int) -> Int
  ) -> InstructionCase {
    InstructionCase(
      title: title, base: People.base, types: [People.Person.self], operations: rows
    ) { realm, operations in
      let people = realm.objects(People.Person.self)
      guard operations > 0 else { return _ = people.first?.age }
      guard body(people, operations) > 0 else { throw Unexpected("nothing was read") }
    }
  }

  private static func loopOverList(
    _ title: String, inTransaction: Bool
  ) -> InstructionCase {
    InstructionCase(
      title: title, base: Kennel.full, types: Kennel.types, operations: rows
    ) { realm, operations in
      guard let owner = realm.objects(Kennel.Owner.self).first else {
        throw Unexpected("the file has no owner")
      }
      guard operations > 0 else { return _ = owner.dogs.first?.name }
      if inTransaction { realm.beginWrite() }
      let sum = owner.dogs.reduce(0) { $0 + $1.name.utf8.count }
      if inTransaction { realm.cancelWrite() }
      guard sum > 0 else { throw Unexpected("nothing was read") }
    }
  }

  private static func makeOlder(_ person: People.Person) {
    do {
      try person.realm?.write { person.age += 1 }
    } catch {
      fatalError("A person can't be changed: \(error)")
    }
  }

  private static var loops: [InstructionCase] {
    [
      loop("loop, nothing read, for each object") { people, _ in
        people.reduce(0) { count, _ in count + 1 }
      },
      loop("loop, two of three properties read, for each object") { people, _ in
        people.reduce(0) { $0 + $1.age + $1.firstName.utf8.count }
      },
      loop("`values` of two of three properties, for each object") { people, _ in
        people.values(\.age, \.firstName).reduce(0) { $0 + $1.0 + $1.1.utf8.count }
      },
      loop("`results[i]`, two of three properties read, for each object") { people, operations in
        (0..<operations).reduce(0) { sum, index in
          let person = people[index]
          return sum + person.age + person.firstName.utf8.count
        }
      },
      loop("loop over a condition, goes on after a commit, for each object") { people, _ in
        var sum = 0
        for person in people.where({ $0.age >= 0 }) {
          if sum == 0 { makeOlder(person) }
          sum += person.age + person.firstName.utf8.count
        }
        return sum
      },
      loop("loop in the order of a property, in a transaction, for each object") { people, _ in
        let realm = people.realm
        realm?.beginWrite()
        defer { realm?.cancelWrite() }
        return people.sorted(byKeyPath: "age").reduce(0) { $0 + $1.firstName.utf8.count + 1 }
      },
      loopOverList(
        "loop over a list of objects, one property read, for each object", inTransaction: false),
      loopOverList("the same in a transaction", inTransaction: true),
      InstructionCase(
        title: "link followed", base: Member.base, types: [Member.self], operations: 10_000
      ) { realm, operations in
        var member = realm.object(ofType: Member.self, forPrimaryKey: rows)
        for _ in 0..<operations + 1 { member = member?.friend }
        guard member != nil else { throw Unexpected("the friends end early") }
      },
    ]
  }

  private static var changes: [InstructionCase] {
    [
      InstructionCase(
        title: "object added, of many in one transaction", base: NumberedPeople.empty,
        types: [NumberedPeople.Person.self], operations: rows
      ) { realm, operations in
        try realm.write {
          for index in 0..<operations {
            let person = NumberedPeople.Person()
            person.id = index
            person.firstName = "First \(index)"
            person.lastName = "Last \(index)"
            person.age = index % 100
            realm.add(person)
          }
        }
      },
      InstructionCase(
        title: "one property changed, of each object in one transaction", base: People.base,
        types: [People.Person.self], operations: rows
      ) { realm, operations in
        let people = realm.objects(People.Person.self)
        guard operations > 0 else { return _ = people.first?.age }
        try realm.write { for person in people { person.age += 1 } }
      },
      InstructionCase(
        title: "the same, of each object that a condition finds", base: People.base,
        types: [People.Person.self], operations: rows
      ) { realm, operations in
        let people = realm.objects(People.Person.self).where { $0.age >= 0 }
        guard operations > 0 else { return _ = people.first?.age }
        try realm.write { for person in people { person.age += 1 } }
      },
      InstructionCase(
        title: "object deleted, of half of a class as results", base: People.base,
        types: [People.Person.self], operations: rows / 2
      ) { realm, operations in
        let half = realm.objects(People.Person.self).where { $0.age < 50 }
        guard operations > 0 else { return _ = half.count }
        try realm.write { realm.delete(half) }
      },
      InstructionCase(
        title: "transaction that changes one object", base: People.base,
        types: [People.Person.self], operations: 500
      ) { try changeOne($0, $1) },
      changingOne(
        "the same with a history", history: .init(notesOtherPrograms: false)),
      changingOne(
        "the same with a history that notes other programs", history: .init()),
      InstructionCase(
        title: "the same while the realm observes all objects, with the observer's work",
        base: People.base, types: [People.Person.self], operations: 500
      ) { realm, operations in
        let people = realm.objects(People.Person.self)
        guard let person = people.first else { throw Unexpected("the file has no person") }
        var heard = 0
        let token = people.observe { _ in heard += 1 }
        for _ in 0..<operations + 1 { try realm.write { person.age += 1 } }
        token.invalidate()
        guard heard == operations + 1 else { throw Unexpected("\(heard) changes were heard of") }
      },
      InstructionCase(
        title: "`Realm(configuration:)`, of a file that is held elsewhere", base: People.base,
        types: [People.Person.self], operations: 2_000
      ) { realm, operations in
        let configuration = realm.configuration
        for _ in 0..<operations + 1 {
          try withExtendedLifetime(Realm(configuration: configuration)) {}
        }
      },
    ]
  }

  /// A transaction that changes one object, in a copy of the file with a history.
  private static func changingOne(
    _ title: String, history: Realm.Configuration.History
  ) -> InstructionCase {
    InstructionCase(
      title: title, base: People.base, types: [People.Person.self], operations: 500
    ) { realm, operations in
      guard let original = realm.configuration.fileURL else { throw Unexpected("no file") }
      var configuration = realm.configuration
      let file = original.appendingPathExtension("\(operations)")
      try FileManager.default.copyItem(at: original, to: file)
      configuration.fileURL = file
      configuration.history = history
      try changeOne(Realm(configuration: configuration), operations)
    }
  }

  /// Changes one object, each time in a transaction; one extra time to warm up.
  private static func changeOne(_ realm: Realm, _ operations: Int) throws {
    guard let person = realm.objects(People.Person.self).first else {
      throw Unexpected("the file has no person")
    }
    for _ in 0..<operations + 1 { try realm.write { person.age += 1 } }
  }

  private static var openings: [InstructionCase] {
    [
      opening("file that needs nothing, opened and closed", [People.Person.self]) { $0 },
      opening("file opened with one more property", [People.WithEmail.Person.self], version: 1) {
        $0
      },
      opening("file created and closed", [People.Person.self]) {
        $0.appendingPathExtension("new")
      },
      opening(
        "file opened with a closure over no rows", [NumberedPeople.Person.self], version: 1,
        base: NumberedPeople.empty,
        block: { migration, _ in migration.enumerateObjects(ofType: "Person") { _, _ in } }
      ) { $0 },
    ]
  }

  /// Opens each of some copies of a file.
  private static func opening(
    _ title: String, _ types: [ObjectBase.Type], version: UInt64 = 0,
    base: BaseFile = People.base, block: MigrationBlock? = nil, of file: @escaping (URL) -> URL
  ) -> InstructionCase {
    InstructionCase(
      title: title, base: base, types: base.types, operations: 20
    ) { realm, operations in
      guard let original = realm.configuration.fileURL else { throw Unexpected("no file") }
      // The number of copies is constant, so that the cost of copying cancels out.
      let copies = (0..<22).map { original.appendingPathExtension("\(operations)-\($0)") }
      for copy in copies { try FileManager.default.copyItem(at: original, to: copy) }
      // Warms up with two extra copies, so that one-time work isn't counted.
      for copy in copies[..<(operations + 2)] {
        try StrataFile.migrate(file(copy), to: types, version: version, block)
      }
    }
  }
}

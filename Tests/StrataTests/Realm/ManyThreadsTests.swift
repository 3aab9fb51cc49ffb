import Strata
import Testing

/// Threads that read and write one file without asking each other. Under the thread sanitizer this
/// is what it looks at: `make test-threads`.
@Suite("Many threads")
struct ManyThreadsTests {
  class Account: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var amount = 0
    @Persisted var owner: Owner?
    @Persisted var entries: List<Int>
  }
  class Owner: Object {
    @Persisted var name = ""
    @Persisted(originProperty: "owner") var accounts: LinkingObjects<Account>
  }

  private static let accounts = 20
  private static let rounds = 40

  @Test("read whole transactions while others write")
  func transfers() throws {
    let folder = try TestFolder()
    let types: [ObjectBase.Type] = [Account.self, Owner.self]
    try folder.open(types) { realm in
      try realm.write {
        let owner = realm.create(Owner.self, value: ["name": "Ada"])
        for number in 0..<Self.accounts {
          realm.create(Account.self, value: ["number": number, "amount": 100, "owner": owner])
        }
      }
    }
    let configuration = folder.configuration(types)
    let writers = (0..<3).map { writer in
      startThread {
        let realm = try Realm(configuration: configuration)
        for round in 0..<Self.rounds { try Self.transfer(realm, writer, round) }
      }
    }
    let readers = (0..<3).map { _ in
      startThread {
        let realm = try Realm(configuration: configuration)
        for _ in 0..<Self.rounds { Self.look(realm) }
      }
    }
    for thread in writers + readers { try thread.wait() }
    try folder.open(types) { realm in
      let accounts = realm.objects(Account.self)
      #expect(accounts.map(\.entries.count).reduce(0, +) == 3 * Self.rounds)
      #expect(accounts.sum(of: \.amount) as Int == Self.accounts * 100)
    }
  }

  private static func transfer(_ realm: Realm, _ writer: Int, _ round: Int) throws {
    try realm.write {
      let from = realm.object(ofType: Account.self, forPrimaryKey: (writer + round) % accounts)
      let to = realm.object(
        ofType: Account.self, forPrimaryKey: (writer * 7 + round * 3) % accounts)
      from?.amount -= 5
      to?.amount += 5
      to?.entries.append(round)
    }
  }

  private static func look(_ realm: Realm) {
    let all = realm.objects(Account.self)
    #expect(all.sum(of: \.amount) as Int == accounts * 100)
    #expect(all.map(\.amount).count == accounts)
    #expect(all.allSatisfy { $0.owner?.name == "Ada" })
    #expect(all.first?.owner?.accounts.count == accounts)
  }

  @Test("open and migrate one file at the same moment")
  func opening() throws {
    let folder = try TestFolder()
    let types: [ObjectBase.Type] = [Owner.self, Account.self]
    try folder.open(types) { realm in
      try realm.write { realm.create(Owner.self, value: ["name": "Ada"]) }
    }
    // The block runs once, or there would be more than one.
    let configuration = folder.configuration(types, version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Owner") { old, new in new!["name"] = "\(new!["name"]!)!" }
    }
    let threads = (0..<8).map { _ in
      startThread {
        let realm = try Realm(configuration: configuration)
        #expect(realm.objects(Owner.self).map(\.name) == ["Ada!"])
      }
    }
    for thread in threads { try thread.wait() }
  }
}

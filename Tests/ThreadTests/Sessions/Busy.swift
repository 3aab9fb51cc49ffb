import Strata

/// The models that many threads change at the same time.
enum Busy {
  final class Counter: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var value = 0
    @Persisted var note: AnyRealmValue
    @Persisted var items: List<Item>
    @Persisted var byName: Map<String, Item?>
    @Persisted var numbers: MutableSet<Int>
    @Persisted var part: Part?
  }

  final class Item: Object {
    @Persisted var name = ""
    @Persisted var size = 0
    @Persisted(originProperty: "items") var counters: LinkingObjects<Counter>
  }

  final class Part: EmbeddedObject {
    @Persisted var words: List<String>
  }

  final class Account: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var amount = 0
    @Persisted var owner: Owner?
    @Persisted var entries: List<Int>
  }

  final class Owner: Object {
    @Persisted var name = ""
    @Persisted(originProperty: "owner") var accounts: LinkingObjects<Account>
  }

  static let types: [ObjectBase.Type] = [
    Counter.self, Item.self, Part.self, Account.self, Owner.self,
  ]
}

import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Aggregates that read one object at a time, as for maps and unmanaged collections.
@Suite struct AggregatesInMemoryTests {
  final class Account: Object {
    @Persisted var balance: Decimal128
    @Persisted var limit: Decimal128?
    @Persisted var opened: Date
    @Persisted var small: Int8
    @Persisted var rate: Float
    @Persisted var isOpen: Bool
    @Persisted var note: AnyRealmValue
    @Persisted var tags: List<Int>
  }

  final class Bank: Object {
    @Persisted var accounts: List<Account>
    @Persisted var accountSet: MutableSet<Account>
    @Persisted var accountsByName: Map<String, Account?>
  }

  private func bank() -> Bank {
    let bank = Bank()
    for number in [9, 10, -3, -20, 100] {
      let account = Account()
      account.balance = Decimal128(value: number)
      account.opened = Date(timeIntervalSince1970: Double(number))
      account.small = Int8(number)
      account.rate = Float(number) + 0.5
      bank.accounts.append(account)
      bank.accountSet.insert(account)
      bank.accountsByName["\(number)"] = account
    }
    return bank
  }

  /// Checks collections of an object in no realm, and of the same one in a file.
  private func check(_ bank: Bank? = nil, _ body: (Bank) -> Void) throws {
    let folder = try TestFolder()
    let bank = bank ?? self.bank()
    body(bank)
    try folder.open([Bank.self, Account.self]) { realm in
      try realm.write { realm.add(bank) }
      body(bank)
    }
  }

  @Test func `Decimals are compared as numbers`() throws {
    try check { bank in
      let map = bank.accountsByName
      expectEqual(bank.accounts.max(ofProperty: "balance") as Decimal128?, 100)
      expectEqual(bank.accounts.min(ofProperty: "balance") as Decimal128?, -20)
      expectEqual(bank.accountSet.max(ofProperty: "balance") as Decimal128?, 100)
      expectEqual(map.max(ofProperty: "balance") as Decimal128?, 100)
      expectEqual(map.min(ofProperty: "balance") as Decimal128?, -20)
      expectEqual(map.sum(ofProperty: "balance") as Decimal128, 96)
      expectEqual(map.average(ofProperty: "balance") as Decimal128?, Decimal128("19.2"))
      expectNil(map.max(ofProperty: "limit") as Decimal128?)
      expectEqual(map.sum(ofProperty: "limit") as Decimal128, 0)
    }
  }

  @Test func `Dates and other numbers`() throws {
    try check { bank in
      let map = bank.accountsByName
      expectEqual(map.min(ofProperty: "opened") as Date?, Date(timeIntervalSince1970: -20))
      expectEqual(
        bank.accounts.max(ofProperty: "opened") as Date?, Date(timeIntervalSince1970: 100))
      expectEqual(map.max(ofProperty: "small") as Int8?, 100)
      expectEqual(bank.accounts.sum(ofProperty: "rate") as Float, 98.5)
    }
  }

  @Test func `NaN is neither the smallest nor the greatest value`() throws {
    let bank = bank()
    for (account, limit) in zip(bank.accounts, [.nan, 2, .nan, 3] as [Decimal128]) {
      account.limit = limit
    }
    try check(bank) { bank in
      expectEqual(bank.accounts.min(ofProperty: "limit") as Decimal128?, 2)
      expectEqual(bank.accountSet.max(ofProperty: "limit") as Decimal128?, 3)
      expectEqual(bank.accountsByName.min(ofProperty: "limit") as Decimal128?, 2)
      expectEqual(bank.accounts.value(forKeyPath: "@min.limit") as? Decimal128, 2)
      expectEqual(bank.accounts.value(forKeyPath: "@max.limit") as? Decimal128, 3)
      expectTrue((bank.accounts.sum(ofProperty: "limit") as Decimal128).isNaN)
    }
    let list = List<Decimal128>()
    list.append(objectsIn: [.nan, 2, .nan, 3])
    expectTrue(list.min() == 2 && list.max() == 3)
    list.removeSubrange(1..<4)
    expectTrue(list.min() == nil && list.max() == nil)
  }

  @Test func `What has no such value is reported, in a file and elsewhere`() throws {
    func expectReport(_ text: String, _ body: () -> Void) {
      expectIssue("Cannot use '\(text)'.") { body() }
    }
    try check { bank in
      expectReport("max' on 'Account.isOpen': it is of type 'bool") {
        expectNil(bank.accounts.max(ofProperty: "isOpen") as Int?)
      }
      expectReport("sum' on 'Account.isOpen': it is of type 'bool") {
        expectEqual(bank.accountsByName.sum(ofProperty: "isOpen") as Int, 0)
      }
      expectReport("avg' on 'Account.opened': it is of type 'date") {
        expectNil(bank.accountSet.average(ofProperty: "opened") as Double?)
      }
      expectReport("min' on 'Account.tags': it is of type 'array<int>") {
        expectNil(bank.accounts.min(ofProperty: "tags") as Int?)
      }
      expectReport("sum' on 'Account.note': it is of type 'mixed") {
        expectEqual(bank.accountsByName.sum(ofProperty: "note") as Int, 0)
      }
    }
  }
}

import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// A type whose conversions are moments at which the program runs.
private struct Amount: CustomPersistable, Hashable {
  var number: Int

  init(_ number: Int) { self.number = number }
  init(persistedValue: Int) {
    Program.run()
    number = persistedValue
  }
  var persistableValue: Int {
    Program.run()
    return number
  }
}

private enum Program {
  nonisolated(unsafe) static var code: (() -> Void)?
  nonisolated(unsafe) private static var isRunning = false

  /// Not within itself.
  static func run() {
    guard let code, !isRunning else { return }
    isRunning = true
    code()
    isRunning = false
  }
}

private final class Bill: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var amount = Amount(0)
  @Persisted var amounts: List<Amount>
}

private final class Numbered: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var number = Numbered.next()

  private static func next() -> Int {
    Program.run()
    return 0
  }
}

/// Custom code that converts a value of a row, and reads or writes objects of the same class.
@Suite("Code of the program in the middle of a row", .serialized) struct ProgramInRowsTests {
  private let folder: TestFolder
  private let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration([Bill.self, Numbered.self]))
  }

  private func running(_ code: @escaping () -> Void, _ body: () throws -> Void) rethrows {
    Program.code = code
    defer { Program.code = nil }
    try body()
  }

  private func addBills() throws {
    try realm.write {
      for id in 0..<30 { realm.create(Bill.self, value: ["id": id, "amount": id]) }
    }
  }

  private func expectBills(_ bills: some Sequence<Bill>) {
    expectEqual(bills.map { $0.id + $0.amount.number }, (0..<30).map { 2 * $0 })
  }

  @Test(arguments: [true, false])
  func `A conversion reads objects of its own class`(inTransaction: Bool) throws {
    try addBills()
    let frozen = realm.freeze()
    if inTransaction { realm.beginWrite() }
    let bills = realm.objects(Bill.self)
    running {
      for other in [realm, frozen] {
        _ = other.object(ofType: Bill.self, forPrimaryKey: 7)?.amount
        _ = other.objects(Bill.self).sorted(byKeyPath: "amount").last?.amount
        _ = other.objects(Bill.self).filter("id > 3").first?.amount
      }
    } _: {
      expectBills(bills)
      expectBills(bills.sorted(byKeyPath: "amount"))
      expectBills(frozen.objects(Bill.self))
      expectBills(frozen.objects(Bill.self).sorted(byKeyPath: "amount"))
      expectBills((0..<30).map { bills[$0] })
      expectBills((0..<30).compactMap { realm.object(ofType: Bill.self, forPrimaryKey: $0) })
    }
    if inTransaction { realm.cancelWrite() }
  }

  @Test func `A default value reads objects of its own class`() throws {
    try realm.write { for id in 0..<5 { realm.create(Numbered.self, value: [id, id]) } }
    let objects = realm.objects(Numbered.self)
    running {
      expectEqual(objects.sorted(byKeyPath: "number").last?.number, 4)
      expectEqual(realm.object(ofType: Numbered.self, forPrimaryKey: 2)?.number, 2)
    } _: {
      for _ in 0..<2 {
        expectEqual(objects.map(\.number), Array(0..<5))
        expectEqual(realm.object(ofType: Numbered.self, forPrimaryKey: 3)?.number, 3)
        expectEqual(
          objects.sorted(byKeyPath: "number", ascending: false).map(\.id), [4, 3, 2, 1, 0])
      }
    }
  }

  @Test func `Objects that a conversion adds while others are written are in the file`() throws {
    var added = 0
    try running {
      guard realm.isInWriteTransaction, added < 40 else { return }
      added += 1
      realm.create(Bill.self, value: ["id": 1_000 + added, "amount": 5])
    } _: {
      try realm.write {
        for id in 0..<30 { realm.create(Bill.self, value: ["id": id, "amount": Amount(id)]) }
      }
      try realm.write {
        for bill in realm.objects(Bill.self).where({ $0.id < 5 }) { bill.amount = Amount(7) }
      }
    }
    expectTrue(added > 10)
    expectEqual(realm.objects(Bill.self).where { $0.id > 1_000 }.map(\.amount.number).count, added)
    expectTrue(
      realm.objects(Bill.self).where { $0.id > 1_000 }.allSatisfy { $0.amount.number == 5 })
    expectTrue(realm.objects(Bill.self).where { $0.id < 5 }.allSatisfy { $0.amount.number == 7 })
    expectEqual(realm.objects(Bill.self).where { $0.id < 1_000 }.count, 30)
  }
}

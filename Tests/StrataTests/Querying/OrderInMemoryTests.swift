import Strata
import StrataTestKit
import TestKit
import Testing

/// The order of objects and values in memory, compared with the order in files.
@Suite struct OrderInMemoryTests {
  private let folder: TestFolder
  private let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Queried.types))
  }

  /// Some objects, in the file and in a list in memory.
  private func objects(
    _ count: Int, _ set: (Queried.Whole) -> Void
  ) throws -> (file: Results<Queried.Whole>, memory: List<Queried.Whole>) {
    try realm.write {
      for id in 0..<count { set(realm.create(Queried.Whole.self, value: ["id": id])) }
    }
    let memory = List<Queried.Whole>()
    memory.append(objectsIn: realm.objects(Queried.Whole.self))
    return (realm.objects(Queried.Whole.self), memory)
  }

  @Test(arguments: [true, false])
  func `NaN comes before other numbers, and is one value`(ascending: Bool) throws {
    let values: [Decimal128] = [
      2, Decimal128("NaN"), 1, Decimal128("-Infinity"), Decimal128("NaN"), Decimal128("1.0"), 0,
      Decimal128("NaN"), 3, Decimal128("Infinity"), -1,
    ]
    let (file, memory) = try objects(values.count) { whole in
      whole.decimal = values[whole.id]
      whole.any = .decimal128(values[whole.id])
    }
    for path in ["decimal", "any"] {
      let sorted = memory.sorted(byKeyPath: path, ascending: ascending)
      expectEqual(
        sorted.map(\.id), file.sorted(byKeyPath: path, ascending: ascending).map(\.id))
      expectEqual(sorted.first?.decimal.isNaN, ascending)
      // Telling them apart ended the process.
      expectEqual(
        memory.distinct(by: [path]).map(\.id), file.distinct(by: [path]).map(\.id))
      expectEqual(memory.distinct(by: [path]).count, 8)
    }
  }

  @Test func `NaN of a Double comes first too`() {
    let list = List<Double>()
    list.append(objectsIn: [2, .nan, 1, .nan, -.infinity])
    expectEqual(list.sorted().map { "\($0)" }, ["nan", "nan", "-inf", "1.0", "2.0"])
  }

  @Test func `Objects are sorted as they were added, and one is itself`() throws {
    let parts = try realm.write {
      (0..<12).map { number in realm.create(Queried.Part.self, value: ["number": -number]) }
    }
    let order = [7, 2, 11, 2, 0, 10, 7, 3]
    let (file, memory) = try objects(order.count) { $0.any = .object(parts[order[$0.id]]) }
    expectEqual(
      memory.sorted(byKeyPath: "any").map(\.id), file.sorted(byKeyPath: "any").map(\.id))
    expectEqual(memory.sorted(byKeyPath: "any").map(\.id), [4, 1, 3, 7, 0, 6, 5, 2])
    expectEqual(
      memory.distinct(by: ["any"]).map(\.id), file.distinct(by: ["any"]).map(\.id))
    expectEqual(memory.distinct(by: ["any"]).count, 6)
  }

  @Test func `Objects in no realm come after those that are in one`() throws {
    let part = try realm.write { realm.create(Queried.Part.self) }
    let list = List<AnyRealmValue>()
    let new = Queried.Part()
    list.append(objectsIn: [.object(new), .object(part), .object(new), .int(1)])
    let sorted = list.sorted()
    expectTrue(sorted.count == 4 && sorted[0] == .int(1) && sorted[1] == .object(part))
    expectTrue(sorted[2] == .object(new) && sorted[3] == .object(new))
  }

  @Test func `NaN is one element`() throws {
    let values: [Decimal128] = [.nan, 1, .nan]
    let memory = List<Decimal128>()
    memory.append(objectsIn: values)
    let whole = try realm.write {
      let whole = realm.create(Queried.Whole.self)
      whole.decimals.append(objectsIn: values)
      return whole
    }
    for list in [memory, whole.decimals] {
      expectEqual(list.index(of: .nan), 0)
      expectEqual(list.sorted().index(of: .nan), 0)
      expectEqual(list.sorted().index(of: 1), 2)
      expectEqual(list.distinct().count, 2)
    }
    var heard: [String] = []
    let token = whole.decimals.sorted().observe { change in
      guard case .update(_, let deletions, let insertions, _) = change else { return }
      heard.append("\(deletions) \(insertions)")
    }
    realm.refresh()
    try realm.write { whole.decimals.append(2) }
    realm.refresh()
    expectEqual(heard, ["[] [3]"])
    token.invalidate()
  }
}

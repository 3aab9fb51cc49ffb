import Strata
import StrataTestKit
import TestKit
import Testing

/// The order of objects, which must be equal in memory and in the file, and their distinct values.
@Suite struct RandomOrderTests {
  static let paths = [
    "int", "maybeInt", "bool", "maybeBool", "float", "maybeFloat", "double", "maybeDouble",
    "string", "maybeString", "date", "maybeDate", "maybeUUID", "maybeObjectId", "decimal",
    "maybeDecimal", "any", "part.name", "part.number", "part.maybeDecimal", "part.any",
    "part.parent.name", "next.maybeDouble", "next.decimal", "next.next.any", "box.number",
    "box.text", "box.part.any",
  ]

  @Test(arguments: 0..<5 as Range<UInt64>)
  func `The order in memory is that of the file`(seed: UInt64) throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration(Queried.types))
    _ = try QueryPopulation(seed: seed, wholes: 60, parts: 15, in: realm)
    let file = realm.objects(Queried.Whole.self)
    let memory = List<Queried.Whole>()
    memory.append(objectsIn: file)
    var pool = QueryValuePool(seed: seed)
    for path in Self.paths + Self.paths {
      let descriptors = [path, pool.one(of: Self.paths)].prefix(pool.number(1..<3)).map {
        SortDescriptor(keyPath: $0, ascending: pool.chance(50))
      }
      let sorted = file.sorted(by: descriptors)
      expectEqual(
        memory.sorted(by: descriptors).map(\.id), sorted.map(\.id),
        "seed \(seed), \(descriptors)")
      let keys = [path, pool.one(of: Self.paths)].prefix(pool.number(1..<3))
      expectEqual(
        memory.sorted(by: descriptors).distinct(by: Array(keys)).map(\.id),
        sorted.distinct(by: Array(keys)).map(\.id),
        "seed \(seed), \(descriptors), distinct \(keys)")
    }
  }
}

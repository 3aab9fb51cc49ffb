import Foundation
import RealmFileKit
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataRealmImport
@testable import StrataStorage

@Suite("Keys of converted objects")
struct ObjectKeysTests {
  @Test func `Identities follow the order of keys, and small keys have the next number`() {
    let values: [Int64] = [0, 1, 7, 300, 65_535 + 7 * 64, 65_536 + 7 * 64, 1 << 40, .max]
    var keys = ObjectKeys(count: 7)
    var counter = IdentityCounter(count: 7)
    var identities: [Int64] = []
    for value in values {
      let identity = keys.append(value)
      expectEqual(counter.next(value), identity)
      identities.append(identity)
    }
    expectEqual(identities, identities.sorted())
    expectEqual(Set(identities).count, values.count)
    expectEqual(identities.prefix(5), [1, 2, 8, 301, 65_984])
    expectEqual(identities.suffix(3), [65_985, 65_986, 65_987])
    for (value, identity) in zip(values, identities) {
      expectEqual(keys.identity(of: value), identity)
      expectEqual(keys.key(of: identity), value)
    }
    for missing in [2, 299, 65_537 + 7 * 64, 1 << 40 + 1, .max - 1] as [Int64] {
      expectNil(keys.identity(of: missing))
    }
    expectEqual(keys.count, values.count)
  }

  @Test func `Objects that have no parent are found`() {
    var keys = ObjectKeys(count: 3)
    var parents = RowSet()
    parents.insert(keys.append(4))
    _ = keys.append(9)
    _ = keys.append(1 << 50)
    expectEqual(keys.keys(without: parents), [9, 1 << 50])
  }

  @Test func `Objects with the keys of older formats keep their links and their order`() throws {
    let folder = try TestFolder()
    let old = folder.url.appendingPathComponent("old.realm")
    var writer = FileWriter()
    let keys: [Int64] = [3, 1 << 40, 1 << 61]
    let cluster = writer.refs([
      .ref(writer.integers(keys)), .ref(writer.texts(["Ann", "Bob", "Cleo"])),
      .ref(writer.integers([1 << 61 + 1, 4, 1 << 40 + 1])),
    ])
    let table = writer.table(
      key: 0,
      [
        .init(name: "name", type: 2),
        .init(name: "boss", type: 12, attributes: ForgedFile.nullable, target: 0),
      ], tree: cluster, primaryKey: 0)
    let top = writer.group([("class_Person", table)])
    try Data(writer.finish(top: top)).write(to: old)
    try Realm.convert(realmFile: old, toFile: folder.file)
    let people = try folder.texts(
      """
      SELECT p._id || ' ' || p.name || ' ' || b.name FROM Person AS p JOIN Person AS b ON b._id = p.boss
      ORDER BY p._id
      """)
    expectEqual(people, ["4 Ann Cleo", "65729 Bob Ann", "65730 Cleo Bob"])
    try expectTrue(Realm.problems(for: .init(fileURL: folder.file)).isEmpty)
  }
}

import Foundation
import RealmFileKit
import StrataRealmFile
import TestKit
import Testing

/// Values that none of the real files has.
@Suite("Unusual values")
struct UnusualValuesTests {
  private typealias Column = FileWriter.Column

  @Test func `Bytes that are no UTF-8 are replaced, and counted`() throws {
    let texts: [[UInt8]] = [
      Array("sound".utf8), [0xFF], Array("ä€😀".utf8), [0xF0, 0x9F, 0x98], [0x61, 0xC3],
      [0xEF, 0xBF, 0xBD], [],
    ]
    var writer = FileWriter()
    var payload: [UInt8] = []
    for text in texts {
      payload += text + [UInt8](repeating: 0, count: 15 - text.count) + [UInt8(15 - text.count)]
    }
    let leaf = writer.node(.multiply, widthCode: 5, count: texts.count, payload)
    let root = writer.cluster(count: texts.count, [leaf])
    let rows = try file(&writer, [Column(name: "text", type: 2)], root).rows("Person")
    var read: [String] = []
    var values: [RealmValue] = []
    var bytes: [[UInt8]] = []
    while try rows.next() {
      read.append(try rows.string(0) ?? "nil")
      try rows.withBytes(0) { bytes.append(Array($0 ?? .init(start: nil, count: 0))) }
    }
    expectEqual(read, texts.map { String(decoding: $0, as: UTF8.self) })
    expectEqual(bytes, texts)
    expectEqual(rows.repairedTexts, 3)
    let repaired = try file(&writer, [Column(name: "text", type: 2)], root).rows("Person")
    for text in read {
      try expectTrue(repaired.next())
      try expectEqual(repaired.utf8(0).map { Array($0) }, Array(text.utf8))
    }
    expectEqual(repaired.repairedTexts, 3)
    let objects = try file(&writer, [Column(name: "text", type: 2)], root).objects("Person")
    while let object = try objects.next() { values += object.values }
    expectEqual(values, read.map { .string($0) })
  }

  @Test(arguments: [2, 4] as [Int64])
  func `A value in several arrays is one value`(type: Int64) throws {
    let first = [UInt8](repeating: 97, count: 100_000)
    let second = [UInt8](repeating: 98, count: 50_000)
    var writer = FileWriter()
    let end: [UInt8] = type == 2 ? [0] : []
    let parts = writer.refs([.ref(writer.blob(first)), .ref(writer.blob(second + end))], .context)
    let leaf = writer.refs([.ref(parts), .none], .context)
    let root = writer.cluster(count: 2, [leaf])
    let rows = try file(&writer, [Column(name: "long", type: type, attributes: 16)], root)
      .rows("Person")
    try expectTrue(rows.next())
    let value = try rows.value(0)
    let all = first + second
    expectEqual(
      value, (type == 2 ? .string(String(decoding: all, as: UTF8.self)) : .data(Data(all))))
    try expectEqual(rows.value(0), value)
    try expectTrue(rows.next())
    try expectEqual(rows.value(0), .null)
  }

  @Test func `Keys of a tree with three inner levels are sums`() throws {
    var writer = FileWriter()
    func chain(_ writer: inout FileWriter, _ value: Int64) -> Int {
      var node = writer.cluster(count: 1, [writer.integers([value])])
      for depth in 1...2 as ClosedRange<UInt64> {
        node = writer.refs([.none, .number(depth), .number(1), .ref(node)], .inner)
      }
      return node
    }
    let children = [chain(&writer, 7), chain(&writer, 8)]
    let root = writer.refs(
      [.none, .number(3), .number(2)] + children.map { .ref($0) }, .inner)
    let file = try file(&writer, [Column(name: "age", type: 0)], root)
    let objects = try file.objects("Person").all()
    expectEqual(objects.map(\.key), [0, 1 << 24])
    expectEqual(objects.map { $0["age"] }, [.int(7), .int(8)])
    try expectEqual(file.object("Person", key: 1 << 24)?["age"], .int(8))
    try expectNil(file.object("Person", key: 1))
    expectEqual(file.classes[0].count, 2)
  }

  @Test func `Integers of each width are read`() throws {
    for (widthCode, payload, values) in [
      (0, [], [0, 0, 0]), (1, [0b101], [1, 0, 1]), (2, [0b11_10_01], [1, 2, 3]),
      (3, [0xF1, 0x08], [1, 15, 8]), (4, [0xFF, 0x7F, 0x80], [-1, 127, -128]),
      (5, [0xFF, 0xFF, 0xFF, 0x7F, 0, 0x80], [-1, 32767, -32768]),
    ] as [(UInt8, [UInt8], [Int64])] {
      var writer = FileWriter()
      let leaf = writer.node([], widthCode: widthCode, count: 3, payload)
      let root = writer.cluster(count: 3, [leaf])
      let rows = try file(&writer, [Column(name: "age", type: 0)], root).rows("Person")
      var read: [Int64?] = []
      while try rows.next() { read.append(try rows.int(0)) }
      expectEqual(read, values)
    }
  }

  private func file(
    _ writer: inout FileWriter, _ columns: [Column], _ tree: Int
  ) throws -> RealmFile {
    let table = writer.table(key: 0, columns, tree: tree)
    let top = writer.group([("class_Person", table)])
    return try RealmFile(bytes: writer.finish(top: top))
  }
}

import Foundation
import RealmFileKit
import StrataRealmFile
import TestKit
import Testing

/// Files that were made to exhaust a reader.
@Suite("Hostile files")
struct HostileFilesTests {
  private typealias Column = FileWriter.Column
  private static let list: Int64 = 32

  @Test func `A tree that contains itself ends`() throws {
    var writer = FileWriter()
    let cluster = writer.cluster(count: 1, [writer.integers([7])])
    // The first child of the root is the root.
    let root = writer.bytes.count
    _ = writer.refs(
      [.none, .number(2), .number(2), .ref(root), .ref(cluster)], .inner)
    let error = try error(reading: &writer, [Column(name: "age", type: 0)], tree: root)
    expectEqual(error?.code, .damaged)
    expectEqual(error?.place.offset, root)
    expectEqual(error?.problem, "The file is damaged: two places lead to the same array")
  }

  @Test func `Shared clusters are read once`() throws {
    var writer = FileWriter()
    let cluster = writer.cluster(count: 1, [writer.integers([7])])
    let root = writer.refs([.none, .number(1), .number(2), .ref(cluster), .ref(cluster)], .inner)
    let error = try error(reading: &writer, [Column(name: "age", type: 0)], tree: root)
    expectEqual(error?.problem, "The file is damaged: two places lead to the same array")
    expectEqual(error?.place.className, "Person")
  }

  @Test func `Classes don't share their objects`() throws {
    var writer = FileWriter()
    let root = writer.cluster(count: 1, [writer.integers([7])])
    let columns = [Column(name: "age", type: 0)]
    let tables = [
      ("class_A", writer.table(key: 0, columns, tree: root)),
      ("class_B", writer.table(key: 1, columns, tree: root)),
    ]
    let top = writer.group(tables)
    let bytes = writer.finish(top: top)
    let error = expectError { _ = try RealmFile(bytes: bytes) }
    expectEqual(error?.place.className, "B")
    expectEqual(error?.problem, "The file is damaged: two places lead to the same array")
  }

  @Test func `A tree of more than eight levels is refused`() throws {
    var writer = FileWriter()
    var root = writer.cluster(count: 1, [writer.integers([7])])
    let keys = { (writer: inout FileWriter) in writer.integers([0]) }
    for depth in 1...9 as ClosedRange<UInt64> {
      root = writer.refs(
        [.ref(keys(&writer)), .number(min(depth, 8)), .number(1), .ref(root)], .inner)
    }
    let error = try error(reading: &writer, [Column(name: "age", type: 0)], tree: root)
    expectEqual(error?.code, .damaged)
  }

  @Test func `An array without bytes has no more values than its cluster has objects`() throws {
    var writer = FileWriter()
    // Eight bytes say that there are 16,777,215 zeros.
    let leaf = writer.node([], widthCode: 0, count: 0xFF_FFFF, [])
    let root = writer.cluster(count: 2, [leaf])
    let error = try error(reading: &writer, [Column(name: "age", type: 0)], tree: root)
    expectEqual(
      error?.description.hasPrefix(
        "The file is damaged: there are 16777215 values for 2 objects (class 'Person', property "
          + "'age', object 0, byte \(leaf))"), true)
    var other = FileWriter()
    let keys = other.node([], widthCode: 0, count: 0xFF_FFFF, [])
    let cluster = other.refs([.ref(keys), .ref(other.integers([1]))])
    let keysError = try self.error(reading: &other, [Column(name: "age", type: 0)], tree: cluster)
    expectEqual(keysError?.problem, "The file is damaged: a cluster has 16777215 objects")
  }

  @Test func `Lists of zeros stay within the limits`() throws {
    var writer = FileWriter()
    // Each of these has a thousand elements, and eight bytes.
    var leaves: [FileWriter.Element] = []
    for _ in 0..<1000 { leaves.append(.ref(writer.node([], widthCode: 0, count: 1000, []))) }
    let list = writer.refs([.number(1000)] + leaves + [.number(1_000_000)], .inner)
    let root = writer.cluster(count: 1, [writer.refs([.ref(list)])])
    let columns = [Column(name: "zeros", type: 0, attributes: Self.list)]
    let bytes = file(&writer, columns, tree: root)
    let generous = try RealmFile(bytes: bytes).objects("Person").all()
    guard case .list(let values)? = generous[0]["zeros"] else {
      Issue.record("there is no list")
      return
    }
    expectEqual(values.count, 1_000_000)
    let limits = RealmFileLimits(decodedBytesPerByte: 64, decodedBytes: 0)
    let error = expectError {
      _ = try RealmFile(bytes: bytes, limits: limits).objects("Person").all()
    }
    expectEqual(error?.code, .limitExceeded)
    expectEqual(
      error?.description.contains(
        "The values of the file take more than \(64 * bytes.count) bytes (class 'Person', property "
          + "'zeros', object 0"), true)
    expectEqual(
      error?.repair,
      "The file repeats its bytes, as damaged files do. If it is right, raise "
        + "'RealmFileLimits.decodedBytesPerByte' or 'RealmFileLimits.decodedBytes'.")
  }

  @Test func `One text that many values name is counted each time`() throws {
    var writer = FileWriter()
    let text = writer.blob([UInt8](repeating: 97, count: 1_000_000) + [0])
    let texts = writer.refs([.ref(text)], .context)
    // 256 mixed values, each of which is text 0.
    let type: Int64 = 3 | 3 << 5
    let composite = writer.integers([Int64](repeating: type, count: 256))
    let mixed = writer.refs([.ref(composite), .none, .none, .ref(texts)])
    let root = writer.cluster(count: 256, [mixed])
    let bytes = file(&writer, [Column(name: "any", type: 6)], tree: root)
    let rows = try RealmFile(bytes: bytes).rows("Person")
    var count = 0
    let error = expectError {
      while try rows.next() {
        _ = try rows.value(0)
        count += 1
      }
    }
    expectEqual(error?.code, .limitExceeded)
    expectEqual(count, 64 + 64)
  }

  @Test(arguments: [100, 101])
  func `Collections may be nested a hundred times`(levels: Int) throws {
    let bytes = nested(levels)
    let outcome = Outcome()
    // A thread of a server may have no more.
    let thread = Thread {
      do throws(RealmFileError) {
        let objects = try RealmFile(bytes: bytes).objects("Person").all()
        outcome.set(objects[0].values[0], nil)
      } catch {
        outcome.set(nil, error)
      }
    }
    thread.stackSize = 512 * 1024
    thread.start()
    let (value, error) = outcome.wait()
    guard levels <= 100 else {
      expectEqual(error?.code, .damaged)
      expectEqual(
        error?.problem, "The file is damaged: more than 100 collections are nested")
      return
    }
    var depth = 0
    var inner = value
    while case .list(let values)? = inner {
      depth += 1
      inner = values.first
    }
    expectEqual(depth, 100)
  }

  @Test func `Keys don't exceed 64 bits`() throws {
    var writer = FileWriter()
    let cluster = writer.cluster(count: 2, [writer.integers([7, 8])])
    let keys = writer.integers([.max])
    let root = writer.refs([.ref(keys), .number(1), .number(2), .ref(cluster)], .inner)
    let error = try error(reading: &writer, [Column(name: "age", type: 0)], tree: root)
    expectEqual(error?.problem, "The file is damaged: a key is larger than 64 bits")
  }

  @Test func `An encoding that the format doesn't know is refused`() throws {
    var writer = FileWriter()
    let leaf = writer.node([.multiply, .bytes], widthCode: 1, count: 1, [0])
    let root = writer.cluster(count: 1, [leaf])
    let error = try error(reading: &writer, [Column(name: "age", type: 0)], tree: root)
    expectEqual(
      error?.problem, "The file is damaged: an array has an encoding that its format doesn't know")
  }

  @Test func `Names of classes and properties are different`() throws {
    var writer = FileWriter()
    let cluster = writer.cluster(count: 0, [writer.integers([]), writer.integers([])])
    let columns = [Column(name: "age", type: 0), Column(name: "age", type: 0)]
    let error = try error(reading: &writer, columns, tree: cluster)
    expectEqual(error?.problem, "The file is damaged: two columns have the same name")
  }

  private func file(_ writer: inout FileWriter, _ columns: [Column], tree: Int) -> [UInt8] {
    let table = writer.table(key: 0, columns, tree: tree)
    let top = writer.group([("class_Person", table)])
    return writer.finish(top: top)
  }

  private func error(
    reading writer: inout FileWriter, _ columns: [Column], tree: Int
  ) throws -> RealmFileError? {
    let bytes = file(&writer, columns, tree: tree)
    return expectError {
      _ = try RealmFile(bytes: bytes).objects("Person").all()
    }
  }

  /// An object with a list in a list, and so on; the last one is empty.
  private func nested(_ levels: Int) -> [UInt8] {
    var writer = FileWriter()
    let type: Int64 = 20 | 4 << 5
    var list: FileWriter.Element = .none
    for _ in 0..<levels {
      let composite = writer.integers([type])
      let refs = writer.refs([list])
      list = .ref(writer.refs([.ref(composite), .none, .none, .none, .ref(refs)]))
    }
    guard case .ref(let leaf) = list else { return [] }
    let root = writer.cluster(count: 1, [leaf])
    return file(&writer, [Column(name: "any", type: 6)], tree: root)
  }
}

/// The result of a thread.
private final class Outcome: @unchecked Sendable {
  private let condition = NSCondition()
  private var isSet = false
  private var value: RealmValue?
  private var error: RealmFileError?

  func set(_ value: RealmValue?, _ error: RealmFileError?) {
    condition.lock()
    defer { condition.unlock() }
    (self.value, self.error, isSet) = (value, error, true)
    condition.broadcast()
  }

  func wait() -> (RealmValue?, RealmFileError?) {
    condition.lock()
    defer { condition.unlock() }
    while !isSet { condition.wait() }
    return (value, error)
  }
}

import Foundation
import TestKit
import Testing

/// The possible contents of a disk after a power cut, as values.
@Suite struct DiskTests {
  /// A folder with a file of two sectors, both on the disk.
  private let begin: [DiskEvent] = [
    .makeFolder("", 1), .create("a", 2), .write(2, at: 0, [UInt8](repeating: 1, count: 1024)[...]),
    .synchronize(2), .synchronize(1),
  ]

  /// Returns each state that one of many power cuts leaves.
  private func states(after events: [DiskEvent]) throws -> Set<[String: [UInt8]]> {
    var disk = Disk()
    for event in begin + events { try disk.apply(event) }
    return Set(
      (0..<400 as Range<UInt64>).map { seed in
        var random = SplitMix64(seed: seed)
        return disk.cut(&random)
      })
  }

  private func sectors(_ first: UInt8, _ second: UInt8) -> [UInt8] {
    [UInt8](repeating: first, count: 512) + [UInt8](repeating: second, count: 512)
  }

  @Test func `A write that is not synchronized is there whole, in part, or not`() throws {
    let write = DiskEvent.write(2, at: 0, [UInt8](repeating: 2, count: 1024)[...])
    try expectEqual(
      states(after: [write]),
      [["a": sectors(1, 1)], ["a": sectors(1, 2)], ["a": sectors(2, 1)], ["a": sectors(2, 2)]])
    try expectEqual(states(after: [write, .synchronize(2)]), [["a": sectors(2, 2)]])
  }

  @Test func `Later writes may be there without earlier ones`() throws {
    let writes: [DiskEvent] = [
      .write(2, at: 0, [UInt8](repeating: 2, count: 512)[...]),
      .write(2, at: 512, [UInt8](repeating: 2, count: 512)[...]),
    ]
    try expectTrue(states(after: writes).contains(["a": sectors(1, 2)]))
  }

  @Test func `A new name may be there without its content, and content without its name`() throws {
    let events: [DiskEvent] = [
      .create("b", 3), .write(3, at: 0, [7, 7][...]), .rename("b", to: "c"),
    ]
    let old = sectors(1, 1)
    try expectEqual(
      states(after: events),
      [
        ["a": old], ["a": old, "b": []], ["a": old, "b": [7, 7]], ["a": old, "c": []],
        ["a": old, "c": [7, 7]],
      ])
    try expectEqual(
      states(after: events + [.synchronize(3), .synchronize(1)]), [["a": old, "c": [7, 7]]])
  }

  @Test func `Names of different files change in any order`() throws {
    let states = try states(after: [.create("b", 3), .unlink("a"), .create("c", 4)])
    for names in [["a", "c"], ["b"], ["b", "c"], []] {
      expectTrue(states.contains { $0.keys.sorted() == names }, "\(names)")
    }
  }

  @Test func `A folder is on the disk without what is in it`() throws {
    let states = try states(
      after: [.makeFolder("f", 3), .synchronize(1), .create("f/b", 4), .synchronize(4)])
    expectEqual(Set(states.map { $0.keys.sorted() }), [["a"], ["a", "f/b"]])
  }

  @Test func `A change that fits to nothing is refused`() {
    #expect(throws: Disk.Inconsistent.self) { try states(after: [.write(9, at: 0, [1][...])]) }
    #expect(throws: Disk.Inconsistent.self) { try states(after: [.rename("x", to: "y")]) }
    #expect(throws: DiskEvent.Unreadable.self) { try DiskEvent.read(Data([1, 2, 3])) }
  }
}

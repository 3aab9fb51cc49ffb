import TestKit

/// A disk with two images: what programs see, and what is left for certain when the power fails.
///
/// A write, a truncation and a change of a name are pending until the file or the folder is
/// synchronized. Until then the disk may have any of them, in any order; writes also in parts.
struct Disk {
  /// A file or a folder, whatever its names are. Inodes are used again.
  private typealias Item = Int
  private typealias Names = [Item: [String: Item]]

  private struct File {
    var durable: [UInt8] = []
    var pending: [Change] = []
  }

  private enum Change {
    case write(at: Int, ArraySlice<UInt8>)
    case truncate(Int)
  }

  /// A new meaning of a name in a folder: nil where it has none any more.
  private struct Naming {
    var folder: Item
    var name: String
    var item: Item?
  }

  private var items: [DiskEvent.Inode: Item] = [:]
  private var count = 0
  private var files: [Item: File] = [:]
  private var live: Names = [:]
  private var durable: Names = [:]
  /// Each is done whole: both names of a renaming.
  private var pending: [[Naming]] = []
  private let root: Item = 1

  /// The promises of the program so far.
  private(set) var marks: [String] = []
  /// How many promises there were when a WAL was last synchronized.
  private(set) var synchronizedMarks = 0

  /// The error for a change that doesn't fit to those before it.
  struct Inconsistent: Error {
    var event: String
  }

  // MARK: Changes

  mutating func apply(_ event: DiskEvent) throws {
    switch event {
    case .create(let path, let inode):
      let item = newItem(inode)
      files[item] = File()
      try name(path, item)
    case .makeFolder(let path, let inode):
      let item = newItem(inode)
      (live[item], durable[item]) = ([:], [:])
      if !path.isEmpty { try name(path, item) }
    case .write(let inode, let offset, let bytes):
      try change(inode, .write(at: offset, bytes))
    case .truncate(let inode, let size): try change(inode, .truncate(size))
    case .synchronize(let inode): try synchronize(item(inode))
    case .rename(let old, let new): try rename(old, new)
    case .link(let inode, let path): try name(path, item(inode))
    case .unlink(let path):
      let (folder, name) = try place(path)
      setNames([Naming(folder: folder, name: name, item: nil)])
    case .mark(let text): marks.append(text)
    }
  }

  private mutating func newItem(_ inode: DiskEvent.Inode) -> Item {
    count += 1
    items[inode] = count
    return count
  }

  private func item(_ inode: DiskEvent.Inode) throws -> Item {
    guard let item = items[inode] else { throw Inconsistent(event: "inode \(inode)") }
    return item
  }

  private mutating func change(_ inode: DiskEvent.Inode, _ change: Change) throws {
    try files[item(inode)]?.pending.append(change)
  }

  /// Finds the folder of a path, and its last name.
  private func place(_ path: String) throws -> (Item, String) {
    var folder = root
    var names = path.split(separator: "/").map(String.init)
    guard let last = names.popLast() else { throw Inconsistent(event: "no path") }
    for name in names {
      guard let next = live[folder]?[name] else { throw Inconsistent(event: path) }
      folder = next
    }
    return (folder, last)
  }

  private mutating func name(_ path: String, _ item: Item) throws {
    let (folder, name) = try place(path)
    setNames([Naming(folder: folder, name: name, item: item)])
  }

  private mutating func rename(_ old: String, _ new: String) throws {
    guard !old.isEmpty, !new.isEmpty else { throw Inconsistent(event: "\(old) becomes \(new)") }
    let (from, to) = try (place(old), place(new))
    guard let item = live[from.0]?[from.1] else { throw Inconsistent(event: old) }
    setNames([
      Naming(folder: from.0, name: from.1, item: nil), Naming(folder: to.0, name: to.1, item: item),
    ])
  }

  private mutating func setNames(_ namings: [Naming]) {
    for naming in namings { live[naming.folder]?[naming.name] = naming.item }
    pending.append(namings)
  }

  private mutating func synchronize(_ item: Item) {
    if var file = files[item] {
      for change in file.pending { Self.apply(change, to: &file.durable) }
      file.pending = []
      files[item] = file
      if live.values.contains(where: { $0.contains { $1 == item && $0.hasSuffix("-wal") } }) {
        synchronizedMarks = marks.count
      }
      return
    }
    // Earlier changes of the same names are on the disk as well.
    var needed: Set<[String]> = []
    var rest: [[Naming]] = []
    var done: [[Naming]] = []
    for namings in pending.reversed() {
      let names = namings.map { ["\($0.folder)", $0.name] }
      if namings.contains(where: { $0.folder == item }) || !needed.isDisjoint(with: names) {
        needed.formUnion(names)
        done.append(namings)
      } else {
        rest.append(namings)
      }
    }
    for naming in done.reversed().joined() { durable[naming.folder]?[naming.name] = naming.item }
    pending = rest.reversed()
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .truncate(let size): resize(&bytes, size)
    case .write(let offset, let content):
      resize(&bytes, max(bytes.count, offset + content.count))
      bytes.withUnsafeMutableBytes { bytes in
        content.withUnsafeBytes { bytes[offset...].copyBytes(from: $0) }
      }
    }
  }

  private static func resize(_ bytes: inout [UInt8], _ size: Int) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else if size > bytes.count {
      bytes += [UInt8](repeating: 0, count: size - bytes.count)
    }
  }

  // MARK: Power cuts

  /// How much of what is pending the disk has.
  private enum Part: CaseIterable {
    case nothing, everything, beginning, some
    /// Some sectors of each write.
    case sectors
  }

  /// Returns what may be on the disk if the power fails now: the contents of files by their paths.
  func cut(_ random: inout SplitMix64) -> [String: [UInt8]] {
    var names = durable
    let part = Part.allCases.randomElement(using: &random) ?? .some
    for naming in chosenNames(part, &random).joined() {
      names[naming.folder]?[naming.name] = naming.item
    }
    var result: [String: [UInt8]] = [:]
    collect(root, "", names, &random, &result)
    return result
  }

  private func collect(
    _ folder: Item, _ path: String, _ names: Names, _ random: inout SplitMix64,
    _ result: inout [String: [UInt8]]
  ) {
    let part = Part.allCases.randomElement(using: &random) ?? .some
    for (name, item) in (names[folder] ?? [:]).sorted(by: { $0.key < $1.key }) {
      if let file = files[item] {
        result[path + name] = Self.contents(of: file, part, &random)
      } else {
        collect(item, "\(path)\(name)/", names, &random, &result)
      }
    }
  }

  private func chosenNames(_ part: Part, _ random: inout SplitMix64) -> [[Naming]] {
    switch part {
    case .nothing: return []
    case .everything: return pending
    case .beginning: return Array(pending.prefix(Int.random(in: 0...pending.count, using: &random)))
    case .some, .sectors:
      // Changes of the same names are in order. Each group of them ends somewhere.
      var groups: [(names: Set<[String]>, changes: [[Naming]])] = []
      for namings in pending {
        var group = (names: Set(namings.map { ["\($0.folder)", $0.name] }), changes: [[Naming]]())
        for other in groups where !other.names.isDisjoint(with: group.names) {
          group.names.formUnion(other.names)
          group.changes += other.changes
        }
        groups.removeAll { !$0.names.isDisjoint(with: group.names) }
        group.changes.append(namings)
        groups.append(group)
      }
      return groups.flatMap {
        $0.changes.prefix(Int.random(in: 0...$0.changes.count, using: &random))
      }
    }
  }

  private static let sector = 512

  private static func contents(
    of file: File, _ part: Part, _ random: inout SplitMix64
  ) -> [UInt8] {
    var bytes = file.durable
    let end = Int.random(in: 0...file.pending.count, using: &random)
    for (index, change) in file.pending.enumerated() {
      switch (part, change) {
      case (.nothing, _): break
      case (.everything, _): apply(change, to: &bytes)
      case (.beginning, _): if index < end { apply(change, to: &bytes) }
      case (.some, _), (.sectors, .truncate):
        if random.percent(50) { apply(change, to: &bytes) }
      case (.sectors, .write(let offset, let content)):
        var start = content.startIndex
        while start < content.endIndex {
          let place = offset + start - content.startIndex
          let length = min(sector - place % sector, content.endIndex - start)
          if random.percent(50) {
            apply(.write(at: place, content[start..<start + length]), to: &bytes)
          }
          start += length
        }
      }
    }
    return bytes
  }
}

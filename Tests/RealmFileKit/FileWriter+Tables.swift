extension FileWriter {
  /// A column as the file describes it.
  package struct Column {
    package var name: String
    package var type: Int64
    package var attributes: Int64 = 0
    package var target: Int64 = 0x7FFF_FFFF

    package init(
      name: String, type: Int64, attributes: Int64 = 0, target: Int64 = 0x7FFF_FFFF
    ) {
      self.name = name
      self.type = type
      self.attributes = attributes
      self.target = target
    }
  }

  /// A table with its objects.
  ///
  /// - Parameter tree: The ref of the tree of the objects.
  package mutating func table(
    key: UInt64, _ columns: [Column], tree: Int, primaryKey: Int? = nil, flags: UInt64 = 0
  ) -> Int {
    let keys = columns.indices.map { Int64($0) | columns[$0].type << 16 }
    let types = integers(columns.map(\.type))
    let names = texts(columns.map(\.name))
    let attributes = integers(columns.map(\.attributes))
    let keyArray = integers(keys)
    let spec = refs([
      .ref(types), .ref(names), .ref(attributes), .none, .none, .ref(keyArray),
    ])
    let targets = integers(columns.map(\.target))
    return refs([
      .ref(spec), .none, .ref(tree), .number(key), .none, .number(0), .number(0), .ref(targets),
      .none, .none, .none, primaryKey.map { .number(UInt64(keys[$0])) } ?? .none, .number(flags),
      .none,
    ])
  }

  /// The newest version of the file, with its tables. Its size includes itself.
  package mutating func group(_ tables: [(name: String, ref: Int)]) -> Int {
    let names = texts(tables.map(\.name))
    let array = refs(tables.map { .ref($0.ref) })
    // The largest number decides the width, so the size of the array is known.
    let size = bytes.count + Node.headerSize + 8 * 3
    var payload: [UInt8] = []
    for bits in [Int64(names), Int64(array), Element.number(UInt64(size)).bits] {
      for byte in 0..<8 { payload.append(UInt8(truncatingIfNeeded: bits >> Int64(8 * byte))) }
    }
    return node(.refs, widthCode: 7, count: 3, payload)
  }

  /// A cluster with the keys 0, 1, 2 and so on.
  package mutating func cluster(count: Int, _ leaves: [Int]) -> Int {
    refs([.number(UInt64(count))] + leaves.map { .ref($0) })
  }

  /// The tree of clusters whose objects have the keys 0, 1, 2 and so on. All clusters but the last
  /// one are full.
  package mutating func tree(_ clusters: [Int], counts: [Int]) -> Int {
    var nodes = clusters
    var counts = counts
    var depth: UInt64 = 0
    while nodes.count > 1 {
      depth += 1
      var parents: [Int] = []
      var totals: [Int] = []
      for start in stride(from: 0, to: nodes.count, by: 256) {
        let end = min(start + 256, nodes.count)
        let total = counts[start..<end].reduce(0, +)
        parents.append(
          refs(
            [.none, .number(depth), .number(UInt64(total))]
              + nodes[start..<end].map { .ref($0) }, .inner))
        totals.append(total)
      }
      (nodes, counts) = (parents, totals)
    }
    return nodes[0]
  }

  private enum Node { static let headerSize = 8 }

  /// A file with one class and some objects `{firstName, lastName, age}`.
  package static func people(_ count: Int) -> [UInt8] {
    var writer = FileWriter()
    writer.bytes.reserveCapacity(40 * count + 100_000)
    var clusters: [Int] = []
    var counts: [Int] = []
    for start in stride(from: 0, to: count, by: 256) {
      let numbers = start..<min(start + 256, count)
      let leaves = [
        writer.texts(numbers.map(firstName)), writer.texts(numbers.map(lastName)),
        writer.integers(numbers.map(age)),
      ]
      clusters.append(writer.cluster(count: numbers.count, leaves))
      counts.append(numbers.count)
    }
    let tree = writer.tree(clusters, counts: counts)
    let table = writer.table(
      key: 0,
      [
        Column(name: "firstName", type: 2), Column(name: "lastName", type: 2),
        Column(name: "age", type: 0),
      ], tree: tree)
    let top = writer.group([("class_Person", table)])
    return writer.finish(top: top)
  }

  package static func firstName(_ number: Int) -> String { "First\(number)" }
  package static func lastName(_ number: Int) -> String { "Last\(number % 1000)" }
  package static func age(_ number: Int) -> Int64 { Int64(number % 100) }
}

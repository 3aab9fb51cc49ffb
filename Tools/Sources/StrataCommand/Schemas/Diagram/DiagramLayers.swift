/// The order of boxes in layers, so that arrows lead down and rarely cross.
///
/// Sugiyama's method: cycles are broken, each box is below all boxes that lead to it, long arrows
/// get a point in each layer between, and each layer is sorted by the medians of its neighbours.
struct DiagramLayers {
  /// A box, or a point of a long arrow.
  struct Node: Hashable {
    var box: Int?
    /// The layer, 0 at the top.
    var layer: Int
  }

  private(set) var nodes: [Node] = []
  /// The indexes of the nodes in each layer, from left to right.
  private(set) var layers: [[Int]] = []
  /// The nodes on the path of each arrow between two boxes, from its start.
  private(set) var paths: [DiagramGraph.Arrow: [Int]] = [:]

  private var above: [[Int]] = []
  private var below: [[Int]] = []

  private static let sweeps = 24

  /// - Parameter boxes: The boxes with arrows; only these are drawn in layers.
  init(_ arrows: [DiagramGraph.Arrow], boxes: [Int]) {
    let lines = Set(arrows.filter { $0.from != $0.to }.map { Line($0.from, $0.to) })
    let downward = Self.withoutCycles(lines, boxes)
    let layerOf = Self.layers(downward, boxes)
    var nodeOf: [Int: Int] = [:]
    for box in boxes {
      nodeOf[box] = nodes.count
      add(Node(box: box, layer: layerOf[box] ?? 0))
    }
    var known: [Line: [Int]] = [:]
    for arrow in arrows where arrow.from != arrow.to {
      let isDown = downward.contains(Line(arrow.from, arrow.to))
      let line = isDown ? Line(arrow.from, arrow.to) : Line(arrow.to, arrow.from)
      let way = known[line] ?? way(line, nodeOf)
      known[line] = way
      paths[arrow] = isDown ? way : way.reversed()
    }
    sort()
  }

  private struct Line: Hashable {
    var from: Int
    var to: Int

    init(_ from: Int, _ to: Int) {
      self.from = from
      self.to = to
    }
  }

  private mutating func add(_ node: Node) {
    while layers.count <= node.layer { layers.append([]) }
    layers[node.layer].append(nodes.count)
    nodes.append(node)
    above.append([])
    below.append([])
  }

  /// The nodes of an arrow that leads down.
  private mutating func way(_ line: Line, _ nodeOf: [Int: Int]) -> [Int] {
    guard let start = nodeOf[line.from], let end = nodeOf[line.to] else { return [] }
    var way = [start]
    for layer in nodes[start].layer + 1..<max(nodes[start].layer + 1, nodes[end].layer) {
      way.append(nodes.count)
      add(Node(box: nil, layer: layer))
    }
    way.append(end)
    for (upper, lower) in zip(way, way.dropFirst()) {
      below[upper].append(lower)
      above[lower].append(upper)
    }
    return way
  }

  // MARK: Cycles and layers

  /// Removes cycles: an arrow that leads back to an ancestor is reversed.
  private static func withoutCycles(_ lines: Set<Line>, _ boxes: [Int]) -> Set<Line> {
    let next = Dictionary(grouping: lines, by: \.from).mapValues { $0.map(\.to).sorted() }
    var downward: Set<Line> = []
    var finished: Set<Int> = []
    var open: Set<Int> = []
    func visit(_ box: Int) {
      open.insert(box)
      for target in next[box] ?? [] {
        if open.contains(target) {
          downward.insert(Line(target, box))
        } else {
          downward.insert(Line(box, target))
          if !finished.contains(target) { visit(target) }
        }
      }
      open.remove(box)
      finished.insert(box)
    }
    // The search starts at boxes without incoming arrows, so that they are at the top.
    let targets = Set(lines.map(\.to))
    for box in boxes.filter({ !targets.contains($0) }) + boxes where !finished.contains(box) {
      visit(box)
    }
    return downward
  }

  private static func layers(_ lines: Set<Line>, _ boxes: [Int]) -> [Int: Int] {
    let sources = Dictionary(grouping: lines, by: \.to).mapValues { $0.map(\.from) }
    var layers: [Int: Int] = [:]
    func layer(_ box: Int) -> Int {
      if let known = layers[box] { return known }
      let found = ((sources[box] ?? []).map { layer($0) }.max() ?? -1) + 1
      layers[box] = found
      return found
    }
    for box in boxes { _ = layer(box) }
    return layers
  }

  // MARK: Crossings

  /// Sorts each layer by the medians of its neighbours, downwards and upwards in turn, and keeps
  /// the order with the fewest crossings.
  private mutating func sort() {
    var best = layers
    var leastCrossings = crossings()
    for sweep in 0..<Self.sweeps where leastCrossings > 0 {
      let isDown = sweep % 2 == 0
      for layer in isDown ? Array(layers.indices.dropFirst()) : layers.indices.dropLast().reversed()
      {
        sort(layer, by: isDown ? above : below, isDown ? layer - 1 : layer + 1)
      }
      let count = crossings()
      if count < leastCrossings {
        leastCrossings = count
        best = layers
      }
    }
    layers = best
  }

  private mutating func sort(_ layer: Int, by neighbours: [[Int]], _ fixed: Int) {
    let places = Dictionary(uniqueKeysWithValues: layers[fixed].enumerated().map { ($1, $0) })
    let keys = layers[layer].enumerated().map {
      index, node -> (key: Double, index: Int, node: Int) in
      let places = neighbours[node].compactMap { places[$0].map(Double.init) }
      return (Self.median(places) ?? Double(index), index, node)
    }
    layers[layer] = keys.sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.node)
  }

  /// The median of some numbers; nil for none.
  static func median(_ numbers: [Double]) -> Double? {
    let sorted = numbers.sorted()
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  private func crossings() -> Int {
    var count = 0
    for (upper, lower) in zip(layers, layers.dropFirst()) {
      let places = Dictionary(uniqueKeysWithValues: lower.enumerated().map { ($1, $0) })
      let ends = upper.flatMap { below[$0].compactMap { places[$0] }.sorted() }
      for (index, end) in ends.enumerated() {
        count += ends[..<index].count { $0 > end }
      }
    }
    return count
  }

  /// The nodes in the layers above and below that are connected to a node.
  func neighbours(of node: Int) -> [Int] { above[node] + below[node] }
}

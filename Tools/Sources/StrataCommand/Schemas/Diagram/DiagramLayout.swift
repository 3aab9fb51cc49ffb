/// The positions of the boxes of a diagram, and the points on the path of each arrow.
struct DiagramLayout {
  struct Point: Hashable {
    var x: Double
    var y: Double
  }

  struct Frame: Hashable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var center: Double { x + width / 2 }
  }

  /// The frames by the index of the box.
  private(set) var frames: [Int: Frame] = [:]
  /// The points of an arrow between its two boxes.
  private(set) var bends: [DiagramGraph.Arrow: [Point]] = [:]
  private(set) var width = 0.0
  private(set) var height = 0.0

  private static let margin = 20.0
  private static let gap = 36.0
  private static let layerGap = 72.0
  private static let bendWidth = 16.0
  private static let widestGrid = 1000.0
  private static let rounds = 12

  init(_ graph: DiagramGraph) {
    let linked = Set(graph.arrows.flatMap { [$0.from, $0.to] })
    let layers = DiagramLayers(graph.arrows, boxes: graph.boxes.indices.filter(linked.contains))
    place(layers, graph)
    placeGrid(graph, graph.boxes.indices.filter { !linked.contains($0) })
    width = (frames.values.map { $0.x + $0.width }.max() ?? 0) + Self.margin
    height = (frames.values.map { $0.y + $0.height }.max() ?? 0) + Self.margin
    for points in bends.values {
      width = max(width, (points.map(\.x).max() ?? 0) + Self.margin)
    }
  }

  // MARK: Boxes with arrows

  private mutating func place(_ layers: DiagramLayers, _ graph: DiagramGraph) {
    let widths = layers.nodes.map { $0.box.map { graph.boxes[$0].width } ?? Self.bendWidth }
    var centers = Array(repeating: 0.0, count: layers.nodes.count)
    for layer in layers.layers {
      var x = 0.0
      for node in layer {
        centers[node] = x + widths[node] / 2
        x += widths[node] + Self.gap
      }
    }
    for round in 0..<Self.rounds {
      let order = round % 2 == 0 ? Array(layers.layers) : layers.layers.reversed()
      for layer in order { Self.settle(layer, layers, widths, &centers) }
    }
    let left = layers.nodes.indices.map { centers[$0] - widths[$0] / 2 }.min() ?? 0
    var y = Self.margin
    for layer in layers.layers {
      let tallest =
        layer.compactMap { layers.nodes[$0].box }.map { graph.boxes[$0].height }.max() ?? 0
      for node in layer {
        guard let box = layers.nodes[node].box else { continue }
        frames[box] = Frame(
          x: centers[node] - widths[node] / 2 - left + Self.margin, y: y,
          width: widths[node], height: graph.boxes[box].height)
      }
      y += tallest + Self.layerGap
    }
    for (arrow, way) in layers.paths {
      let isDown = way.first.map { first in
        way.last.map { layers.nodes[first].layer < layers.nodes[$0].layer } ?? true
      }
      bends[arrow] = way.dropFirst().dropLast().flatMap { node in
        // The arrow goes straight through this layer, past its boxes.
        let x = centers[node] - left + Self.margin
        let ends = Self.ends(of: layers.nodes[node].layer, layers, frames)
          .map { Point(x: x, y: $0) }
        return isDown == false ? ends.reversed() : ends
      }
    }
  }

  /// The top and the bottom of the boxes in a layer.
  private static func ends(
    of layer: Int, _ layers: DiagramLayers, _ frames: [Int: Frame]
  ) -> [Double] {
    let boxes = layers.layers[layer].compactMap { layers.nodes[$0].box.flatMap { frames[$0] } }
    let top = boxes.map(\.y).min() ?? margin
    return [top, boxes.map { $0.y + $0.height }.max() ?? top]
  }

  /// Moves the nodes of a layer towards the medians of their neighbours, without overlaps.
  private static func settle(
    _ layer: [Int], _ layers: DiagramLayers, _ widths: [Double], _ centers: inout [Double]
  ) {
    let wished = layer.map { node in
      DiagramLayers.median(layers.neighbours(of: node).map { centers[$0] }) ?? centers[node]
    }
    // Resolves overlaps once from the left and once from the right, and takes the mean.
    var fromLeft = wished
    for index in layer.indices.dropFirst() {
      let room = (widths[layer[index - 1]] + widths[layer[index]]) / 2 + gap
      fromLeft[index] = max(fromLeft[index], fromLeft[index - 1] + room)
    }
    var fromRight = wished
    for index in layer.indices.dropLast().reversed() {
      let room = (widths[layer[index + 1]] + widths[layer[index]]) / 2 + gap
      fromRight[index] = min(fromRight[index], fromRight[index + 1] - room)
    }
    for (index, node) in layer.enumerated() {
      centers[node] = (fromLeft[index] + fromRight[index]) / 2
    }
  }

  // MARK: The others

  private mutating func placeGrid(_ graph: DiagramGraph, _ boxes: [Int]) {
    let bottom = frames.values.map { $0.y + $0.height }.max()
    let widest = max(Self.widestGrid, frames.values.map { $0.x + $0.width }.max() ?? 0)
    var (x, y) = (Self.margin, bottom.map { $0 + Self.layerGap } ?? Self.margin)
    var tallest = 0.0
    for box in boxes {
      let (width, height) = (graph.boxes[box].width, graph.boxes[box].height)
      if x > Self.margin, x + width > widest {
        x = Self.margin
        y += tallest + Self.gap
        tallest = 0
      }
      frames[box] = Frame(x: x, y: y, width: width, height: height)
      x += width + Self.gap
      tallest = max(tallest, height)
    }
  }
}

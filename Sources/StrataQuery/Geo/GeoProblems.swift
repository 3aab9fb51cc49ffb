extension GeoShape {
  /// The problem of the shape, in Realm's words; nil for a valid shape.
  package var problem: String? {
    switch self {
    case .box(let bottomLeft, let topRight):
      return bottomLeft.latitude > topRight.latitude ? "Invalid rectangle" : nil
    case .circle(_, let radius):
      return radius >= 0 ? nil : "The radius of a circle must be a non-negative number"
    case .polygon(let rings): return Self.problem(rings)
    }
  }

  private static func problem(_ positions: [[GeoPosition]]) -> String? {
    var rings: [GeoRing] = []
    for (index, ring) in positions.enumerated() {
      if let problem = problem(ring, index) { return problem }
      rings.append(GeoRing(ring))
      if index > 0, !rings[0].encloses(rings[index]) {
        return
          "Secondary ring \(index) not contained by first exterior ring - secondary rings must be "
          + "holes in the first ring"
      }
    }
    guard !rings.isEmpty else { return "Polygon has no rings." }
    return problem(rings)
  }

  private static func problem(_ ring: [GeoPosition], _ index: Int) -> String? {
    guard let first = ring.first, let last = ring.last else { return "Ring has no vertices" }
    guard first == last else {
      return
        "Ring is not closed, first vertex '\(first.text)' does not equal last vertex '\(last.text)'"
    }
    let vertices = GeoRing.vertices(ring)
    guard vertices.count >= 3 else {
      return
        "Ring \(index) must have at least 3 different vertices, \(vertices.count) unique vertices "
        + "were provided"
    }
    guard let problem = problem(ofLine: vertices) else { return nil }
    return "Ring \(index) is not valid: '\(problem)'"
  }

  private static func problem(ofLine vertices: [GeoVector]) -> String? {
    var known: [GeoVector: Int] = [:]
    for (index, vertex) in vertices.enumerated() {
      if let first = known.updateValue(index, forKey: vertex) {
        return "Duplicate vertices: \(first) and \(index)"
      }
    }
    let count = vertices.count
    let arcs = vertices.indices.map { GeoArc(vertices[$0], vertices[($0 + 1) % count]) }
    for first in arcs.indices {
      for second in arcs.indices.dropFirst(first + 2) where (second + 1) % count != first {
        guard arcs[first].crosses(arcs[second]) else { continue }
        return
          "Edges \(first) and \(second) cross. Edge locations in degrees: \(arcs[first].text) and "
          + arcs[second].text
      }
    }
    return nil
  }

  /// Returns the problem between several rings, each of which is valid alone.
  private static func problem(_ rings: [GeoRing]) -> String? {
    for (index, ring) in rings.enumerated() {
      for (other, before) in rings.prefix(index).enumerated() {
        if let (edge, first) = ring.edge(sharedWith: before) {
          return
            "Polygon isn't valid: 'Duplicate edge: ring \(index), edge \(edge) and ring \(other), "
            + "edge \(first)'"
        }
        if ring.crosses(before) {
          return "Polygon isn't valid: 'Ring \(index) crosses ring \(other)'"
        }
      }
    }
    let outer = Set(rings[0].vertices)
    for (index, hole) in rings.enumerated().dropFirst() {
      if hole.vertices.count(where: outer.contains) > 1 {
        return
          "Polygon is not normalized: 'Ring \(index) shares more than one vertex with its parent "
          + "ring 0'"
      }
      for other in rings.indices.dropFirst() where other != index && rings[other].encloses(hole) {
        return "Polygon interior rings cannot be nested: \(index)"
      }
    }
    return nil
  }
}

extension GeoRing {
  /// Whether the ring contains all of another ring. They may share vertices.
  fileprivate func encloses(_ other: GeoRing) -> Bool {
    let own = Set(vertices)
    let isInside = other.vertices.allSatisfy {
      own.contains($0) || (!touches($0) && contains($0))
    }
    return isInside && !crosses(other)
  }

  fileprivate func crosses(_ other: GeoRing) -> Bool {
    arcs.contains { arc in
      other.arcs.contains { another in
        let ends = [arc.start, arc.end]
        guard !ends.contains(another.start), !ends.contains(another.end) else { return false }
        return arc.crosses(another)
      }
    }
  }

  /// Returns the numbers in both rings of an edge that they share.
  fileprivate func edge(sharedWith other: GeoRing) -> (Int, Int)? {
    let others = Dictionary(
      other.edges.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return edges.enumerated().lazy.compactMap { index, edge in
      others[edge].map { (index, $0) }
    }.first
  }

  /// The edges in the given order, each without a direction.
  private var edges: [Set<GeoVector>] {
    vertices.indices.map { [vertices[$0], vertices[($0 + 1) % vertices.count]] }
  }
}

extension GeoArc {
  /// The arc in Realm's notation: latitude and longitude of both ends.
  fileprivate var text: String { "\(start.text)-\(end.text)" }
}

extension GeoVector {
  fileprivate var text: String {
    "[\(latitude.printed("%.7f")), \(arctangent(y, x).degrees.printed("%.7f"))]"
  }
}

extension GeoPosition {
  /// The point in Realm's notation: longitude, latitude and altitude, which isn't used.
  var text: String {
    "[\(longitude.printed("%g")), \(latitude.printed("%g")), 0]"
  }
}

extension GeoShape: CustomStringConvertible {
  /// The shape in Realm's notation: `GeoCircle([12.56, 55.67, 0], 0.001)`.
  package var description: String {
    switch self {
    case .box(let bottomLeft, let topRight): "GeoBox(\(bottomLeft.text), \(topRight.text))"
    case .circle(let center, let radius):
      "GeoCircle(\(center.text), \(radius.printed("%g")))"
    case .polygon(let rings):
      "GeoPolygon("
        + rings.map { "{\($0.map(\.text).joined(separator: ", "))}" }.joined(separator: ", ") + ")"
    }
  }
}

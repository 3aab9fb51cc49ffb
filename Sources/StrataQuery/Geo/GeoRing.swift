/// A closed line of arcs of great circles. What is inside is the smaller part of the Earth's
/// surface.
struct GeoRing {
  /// Without the closing one, and without one that is where the one before it is.
  let vertices: [GeoVector]
  /// In the order in which what is inside is left of them.
  let arcs: [GeoArc]

  init(_ positions: [GeoPosition]) {
    vertices = Self.vertices(positions)
    let isTurned = Self.turning(vertices) < 0
    let ordered = isTurned ? Array(vertices.reversed()) : vertices
    arcs = ordered.indices.map { GeoArc(ordered[$0], ordered[($0 + 1) % ordered.count]) }
  }

  static func vertices(_ positions: [GeoPosition]) -> [GeoVector] {
    var vertices: [GeoVector] = []
    for position in positions {
      let vertex = GeoVector(position)
      if vertices.last != vertex { vertices.append(vertex) }
    }
    if vertices.count > 1, vertices.first == vertices.last { vertices.removeLast() }
    return vertices
  }

  /// The sum of the angles by which the line turns left. The area left of it is 2π less this sum:
  /// more than a hemisphere where it is negative.
  private static func turning(_ vertices: [GeoVector]) -> Double {
    var sum = 0.0
    let count = vertices.count
    for index in vertices.indices {
      let (a, b, c) = (
        vertices[index], vertices[(index + 1) % count], vertices[(index + 2) % count]
      )
      let (before, after) = (a.cross(b), b.cross(c))
      let angle = arctangent(before.cross(after).length, before.dot(after))
      sum += before.dot(c) < 0 ? -angle : angle
    }
    return sum
  }

  /// Whether a point is inside. On the line itself it is always the same for the same point, and
  /// either.
  func contains(_ point: GeoVector) -> Bool {
    guard let target = arcs.indices.max(by: { clearness($0, point) < clearness($1, point) }) else {
      return false
    }
    // On the way from the point to the middle of an arc, each other arc leads in, or out. The way
    // comes to the arc on that side of it where the point is.
    let way = GeoArc(point, (arcs[target].start + arcs[target].end).normalized)
    var isInside = arcs[target].side(of: point) > 0
    for index in arcs.indices where index != target && arcs[index].crosses(way) {
      isInside.toggle()
    }
    return isInside
  }

  /// How far a point is from the great circle of an arc; less where it is nearly opposite of it.
  private func clearness(_ index: Int, _ point: GeoVector) -> Double {
    let arc = arcs[index]
    let middle = (arc.start + arc.end).normalized
    return abs(arc.normal.normalized.dot(point)) * (1.000001 + middle.dot(point))
  }

  /// Whether a point is on the line.
  func touches(_ point: GeoVector) -> Bool { arcs.contains { $0.touches(point) } }
}

/// The chains of links through embedded classes that return to their beginning.
///
/// Realm refuses them, although a chain that ends in nil would be finite: a class that contains
/// itself has no bound on how deep its objects nest.
enum EmbeddedCycles {
  static func problems(in schema: Schema) -> [SchemaProblem] {
    schema.objectSchema.compactMap { start in
      guard start.isEmbedded, let path = path(from: start, in: schema) else { return nil }
      return .embeddedCycle(path: path)
    }
  }

  /// The shortest chain from a class back to itself, such as `A.b.a`; nil when there is none.
  private static func path(from start: ObjectSchema, in schema: Schema) -> String? {
    var visited: Set<String> = []
    var queue = [(class: start, path: start.className)]
    var next = 0
    while next < queue.count {
      let (current, path) = queue[next]
      next += 1
      for property in current.properties where property.type == .object {
        guard let name = property.objectClassName, let target = schema[name], target.isEmbedded
        else { continue }
        let extended = "\(path).\(property.name)"
        if name == start.className { return extended }
        if visited.insert(name).inserted { queue.append((target, extended)) }
      }
    }
    return nil
  }
}

package import StrataSchema

/// The region that an observation of a class looks at: objects of which classes, which of their
/// properties, and how it comes from an object that was touched to those of the observed class.
///
/// Made once from a schema; nothing in it depends on what is in a file.
///
/// ```swift
/// let region = try ObservedRegion(schema, "Person", keyPaths: ["dogs.name"])
/// let rows = try region.reached(
///   touched: { position in log.rows(of: region.sources[position]) },
///   owners: { way, rows in
///     let known = BoundIdentities(rows)
///     return try database.integers(way.sql(known), [known.parameter])
///   })
/// ```
package struct ObservedRegion: Sendable {
  /// Objects that are reached from the observed ones, and which of their changes count.
  ///
  /// That an object was added or deleted always counts.
  package struct Source: Sendable {
    package let schema: ObjectSchema
    /// The properties whose changes count; nil for all that are stored.
    package internal(set) var counted: [Property]?
    /// How many links it is from the observed class, at least.
    package internal(set) var distance: Int

    /// The name of the class, and of its table.
    package var className: String { schema.className }

    /// The columns of the table whose changes count; nil for all.
    package var columns: [String]? { counted?.flatMap { $0.columns.map(\.name) } }

    /// The tables of the collections whose changes count. Their owners are the touched objects.
    package var collections: [CollectionTable] {
      (counted ?? schema.properties).compactMap {
        CollectionTable(className: className, property: $0)
      }
    }
  }

  /// The observed class, at position 0, and all that is reached from it. With key paths a class may
  /// be several times among them.
  package internal(set) var sources: [Source]
  private let ways: Ways
  /// The number of links over which an object is reached at most.
  private let depth: Int

  /// The steps back, by where they begin.
  private enum Ways {
    /// Over all references between the classes.
    case all(SchemaReferences, positions: [String: Int])
    /// Along the key paths.
    case paths([[WayBack]])
  }

  /// The region of a class.
  ///
  /// Without key paths all properties count, and objects that are reached over `depth` links and
  /// collections at most, but not through linking objects. With key paths exactly the properties on
  /// them count, whatever their length; with an empty array only which objects there are.
  ///
  /// - Parameters:
  ///   - schema: With the names of properties in Swift.
  ///   - className: A class of the schema.
  ///   - keyPaths: Names of properties with dots between them, such as `dogs.name`; `*` is all
  ///     properties of one class that are stored.
  ///   - depth: How far links are followed without key paths; 0 for the objects alone.
  /// - Throws: ``KeyPathProblem`` where a name is no property of its class.
  package init(
    _ schema: Schema, _ className: String, keyPaths: [String]? = nil, depth: Int = 3
  ) throws(KeyPathProblem) {
    guard let root = schema[className] else { throw .missingClass(className) }
    if let keyPaths {
      var tree = KeyPathTree(schema, root)
      for keyPath in keyPaths { try tree.add(keyPath) }
      sources = tree.sources
      ways = .paths(tree.ways)
      self.depth = .max
    } else {
      let references = SchemaReferences(schema)
      sources = Self.reachable(schema, root, references, depth)
      let names = sources.enumerated().map { ($0.element.className, $0.offset) }
      ways = .all(references, positions: Dictionary(uniqueKeysWithValues: names))
      self.depth = depth
    }
  }

  /// The classes that are reached over some links at most, nearest first.
  private static func reachable(
    _ schema: Schema, _ root: ObjectSchema, _ references: SchemaReferences, _ depth: Int
  ) -> [Source] {
    var sources = [Source(schema: root, counted: nil, distance: 0)]
    var known: Set<String> = [root.className]
    var index = 0
    while index < sources.count, sources[index].distance < depth {
      let source = sources[index]
      var targets: [ObjectSchema] = []
      for property in source.schema.properties {
        if property.type == .object, let name = property.objectClassName {
          if let target = schema[name] { targets.append(target) }
        } else if property.type == .any {
          targets += schema.objectSchema.filter { !$0.isEmbedded }
        }
      }
      for target in targets where known.insert(target.className).inserted {
        sources.append(Source(schema: target, counted: nil, distance: source.distance + 1))
      }
      index += 1
    }
    return sources
  }

  /// All tables whose changes can matter.
  package var tables: Set<String> {
    var tables: Set<String> = []
    for source in sources {
      tables.insert(source.className)
      for collection in source.collections { tables.insert(collection.name) }
    }
    return tables
  }

  /// The steps back from the objects of a source.
  package func waysBack(from position: Int) -> [WayBack] {
    switch ways {
    case .paths(let ways): return ways[position]
    case .all(let references, let positions):
      let name = sources[position].className
      let anyValues = references.isEmbedded(name) ? [] : references.anyValues
      return (references.links(to: name) + anyValues).compactMap { reference in
        guard let to = origin(of: reference, positions) else { return nil }
        return WayBack(
          from: position, to: to, reference: reference, className: name, isForward: false)
      }
    }
  }

  /// Whether there are steps back from the objects of a source.
  package func hasWaysBack(from position: Int) -> Bool {
    switch ways {
    case .paths(let ways): return !ways[position].isEmpty
    case .all(let references, let positions):
      let name = sources[position].className
      func leadsBack(_ reference: Reference) -> Bool { origin(of: reference, positions) != nil }
      if references.links(to: name).contains(where: leadsBack) { return true }
      return !references.isEmbedded(name) && references.anyValues.contains(where: leadsBack)
    }
  }

  /// The source with the property, if it is near enough.
  private func origin(of reference: Reference, _ positions: [String: Int]) -> Int? {
    positions[reference.origin.className].flatMap { sources[$0].distance < depth ? $0 : nil }
  }

  /// The objects of the observed class that were touched, or from which touched ones are reached.
  ///
  /// Each step back is asked once for each object at most, whatever the cycles between classes.
  ///
  /// - Parameters:
  ///   - touched: The touched objects of the source at a position, of which a property or a
  ///     collection that counts may have changed.
  ///   - owners: The answer to ``WayBack/sql(_:)`` for some objects, from the state before as
  ///     well where the way asks for it.
  package func reached(
    touched: (Int) throws -> [Int64], owners: (WayBack, [Int64]) throws -> [Int64]
  ) rethrows -> Set<Int64> {
    var seen: [Set<Int64>] = []
    var found: [Int: [Int64]] = [:]
    for position in sources.indices {
      let rows = try touched(position)
      seen.append(Set(rows))
      if !rows.isEmpty { found[position] = rows }
    }
    var links = 0
    while !found.isEmpty, links < depth {
      var next: [Int: [Int64]] = [:]
      for (position, rows) in found {
        for way in waysBack(from: position) where sources[way.to].distance < depth - links {
          for row in try owners(way, rows) where seen[way.to].insert(row).inserted {
            next[way.to, default: []].append(row)
          }
        }
      }
      found = next
      links += 1
    }
    return seen[0]
  }
}

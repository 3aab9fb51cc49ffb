package import StrataSchema

/// The region of a class's observation: the observed classes and properties, and the ways from a
/// changed object back to the objects of the observed class.
///
/// A region is created once from a schema, and doesn't depend on the contents of a file.
package struct ObservedRegion: Sendable {
  /// The objects of one class that are reached from the observed ones, and their observed
  /// properties.
  ///
  /// Added and deleted objects are always observed.
  package struct Source: Sendable {
    package let schema: ObjectSchema
    /// The observed properties; nil for all stored ones.
    package internal(set) var counted: [Property]?
    /// The smallest number of links from the observed class.
    package internal(set) var distance: Int

    /// The name of the class, and of its table.
    package var className: String { schema.className }

    /// The columns of the observed properties in the table; nil for all.
    package var columns: [String]? { counted?.flatMap { $0.columns.map(\.name) } }

    /// The tables of the observed collections. Their owners are the changed objects.
    package var collections: [CollectionTable] {
      (counted ?? schema.properties).compactMap {
        CollectionTable(className: className, property: $0)
      }
    }
  }

  /// The observed class, at position 0, and all classes that are reached from it. With key paths a
  /// class may occur several times.
  package internal(set) var sources: [Source]
  private let ways: Ways
  /// The greatest number of links over which an object is reached.
  private let depth: Int

  /// The steps back, by their starting source.
  private enum Ways {
    /// Over all references between the classes.
    case all(SchemaReferences, positions: [String: Int])
    /// Along the key paths.
    case paths([[WayBack]])
  }

  /// Creates the region of a class.
  ///
  /// Without key paths, all properties are observed, and the objects that are reached over at most
  /// `depth` links and collections, but not through linking objects. With key paths, exactly the
  /// properties on them are observed, whatever their length. With an empty array, only added and
  /// deleted objects are observed.
  ///
  /// - Parameters:
  ///   - keyPaths: Names of properties with dots between them, such as `dogs.name`; `*` is all
  ///     stored properties of one class.
  ///   - depth: The number of links to follow without key paths; 0 for the objects alone.
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
      sources = Self.reachable(schema, root, depth)
      let names = sources.enumerated().map { ($0.element.className, $0.offset) }
      ways = .all(references, positions: Dictionary(uniqueKeysWithValues: names))
      self.depth = depth
    }
  }

  /// Returns the classes that are reached over a limited number of links, nearest first.
  private static func reachable(
    _ schema: Schema, _ root: ObjectSchema, _ depth: Int
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

  /// All tables whose changes are relevant.
  package var tables: Set<String> {
    var tables: Set<String> = []
    for source in sources {
      tables.insert(source.className)
      for collection in source.collections { tables.insert(collection.name) }
    }
    return tables
  }

  /// Returns the steps back from the objects of a source.
  package func waysBack(from position: Int) -> [WayBack] {
    switch ways {
    case .paths(let ways): return ways[position]
    case .all(let references, let positions):
      let name = sources[position].className
      let anyValues = references.isEmbedded(name) ? [] : references.anyValues
      return (references.links(to: name) + anyValues).compactMap { reference in
        guard let to = positions[reference.origin.className], sources[to].distance < depth else {
          return nil
        }
        return WayBack(
          from: position, to: to, reference: reference, className: name, isForward: false)
      }
    }
  }

  /// Whether there are steps back from the objects of a source.
  package func hasWaysBack(from position: Int) -> Bool {
    !waysBack(from: position).isEmpty
  }

  /// Returns the objects of the observed class that changed, or from which changed objects are
  /// reached.
  ///
  /// Each step back is queried at most once for each object, even with cycles between classes.
  ///
  /// - Parameters:
  ///   - touched: The changed objects of the source at a position. An observed property or
  ///     collection of them may have changed.
  ///   - owners: The result of ``WayBack/sql(_:)`` for some objects, including the old state if the
  ///     way requires it.
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

/// The key paths of an observation, as sources and the ways back between them.
///
/// Objects of one class with the same remaining key path share a source, so `*.*` takes at most one
/// source for each class and `*`.
struct KeyPathTree {
  private(set) var sources: [ObservedRegion.Source]
  /// The ways back, by their starting source.
  private(set) var ways: [[WayBack]] = [[]]
  private let schema: Schema
  private var positions: [Key: Int] = [:]
  /// Whether the rest of the path fits the class, by position.
  private var fits: [Int: Bool] = [:]
  /// The names of the observed properties, by position.
  private var counted: [Set<String>] = [[]]

  private struct Key: Hashable {
    let className: String
    let rest: ArraySlice<String>
    /// The property through which objects link here; it is then observed as well.
    let through: String?
  }

  init(_ schema: Schema, _ root: ObjectSchema) {
    self.schema = schema
    sources = [ObservedRegion.Source(schema: root, counted: [], distance: 0)]
  }

  /// Adds a key path that begins at the observed class.
  mutating func add(_ keyPath: String) throws(KeyPathProblem) {
    let parts = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    _ = try add(parts[...], to: 0, of: keyPath, isRequired: true)
  }

  /// Adds the rest of a path. Returns false if it doesn't fit the class, which is allowed after a
  /// `*`.
  private mutating func add(
    _ parts: ArraySlice<String>, to source: Int, of keyPath: String, isRequired: Bool
  ) throws(KeyPathProblem) -> Bool {
    guard let name = parts.first else { return true }
    let rest = parts.dropFirst()
    let current = sources[source].schema
    if name == "*" {
      var fits = false
      for property in current.properties
      where try follow(property, rest, from: source, of: keyPath, isRequired: false) {
        fits = true
      }
      return fits
    }
    guard let property = current[name] else {
      if isRequired { throw .unknownProperty(name, of: current, in: keyPath) }
      return false
    }
    return try follow(property, rest, from: source, of: keyPath, isRequired: isRequired)
  }

  /// Follows a property, which is observed if the rest of the path fits.
  private mutating func follow(
    _ property: Property, _ rest: ArraySlice<String>, from source: Int, of keyPath: String,
    isRequired: Bool
  ) throws(KeyPathProblem) -> Bool {
    let leadsOn = property.type == .object || property.isComputed
    if !leadsOn {
      guard rest.allSatisfy({ $0 == "*" }) && (rest.isEmpty || !isRequired) else {
        if isRequired { throw .noLink(property.name, in: keyPath) }
        return false
      }
    } else if !rest.isEmpty || property.isComputed {
      guard let target = schema[property.objectClassName ?? ""] else {
        throw .missingClass(property.objectClassName ?? "")
      }
      let position = self.position(of: target, rest, property)
      // An existing source was tried already. Only a required path must report the failure.
      if fits[position] == false, !isRequired { return false }
      if fits[position] != true {
        let fit = try add(rest, to: position, of: keyPath, isRequired: isRequired)
        fits[position] = fit
        guard fit else { return false }
      }
      connect(position, to: source, by: property)
    }
    count(property, in: source)
    return true
  }

  private mutating func position(
    of target: ObjectSchema, _ rest: ArraySlice<String>, _ property: Property
  ) -> Int {
    let through = property.isComputed ? property.linkOriginPropertyName : nil
    let key = Key(className: target.className, rest: rest, through: through)
    if let position = positions[key] { return position }
    let position = sources.count
    positions[key] = position
    sources.append(ObservedRegion.Source(schema: target, counted: [], distance: 0))
    ways.append([])
    counted.append([])
    if let link = through.flatMap({ target[$0] }) { count(link, in: position) }
    return position
  }

  private mutating func connect(_ position: Int, to source: Int, by property: Property) {
    let isForward = property.isComputed
    let origin = sources[isForward ? position : source].schema
    let link = isForward ? origin[property.linkOriginPropertyName ?? ""] : property
    guard let link else { return }
    let way = WayBack(
      from: position, to: source, reference: Reference(origin: origin, property: link),
      className: sources[position].className, isForward: isForward)
    if !ways[position].contains(way) { ways[position].append(way) }
  }

  private mutating func count(_ property: Property, in source: Int) {
    guard !property.isComputed, counted[source].insert(property.name).inserted else { return }
    sources[source].counted?.append(property)
  }
}

/// The reason why a key path can't be observed, with its place and the repair.
package struct KeyPathProblem: Error, Sendable, Hashable {
  package let message: String

  static func missingClass(_ className: String) -> KeyPathProblem {
    KeyPathProblem(
      message: "Class '\(className)' can't be observed: this realm doesn't have it. "
        + "Add it to 'objectTypes'.")
  }

  /// The first sentence is RealmSwift's.
  static func unknownProperty(
    _ name: String, of schema: ObjectSchema, in keyPath: String
  ) -> KeyPathProblem {
    let known = schema.allProperties.map(\.name)
    var message =
      "Invalid property name: property '\(name)' not found in object of type "
      + "'\(schema.className)'."
    if name != keyPath { message += " The key path is '\(keyPath)'." }
    return KeyPathProblem(message: "\(message) \(NearName.hint(name, known))")
  }

  /// The first sentence is RealmSwift's.
  static func noLink(_ name: String, in keyPath: String) -> KeyPathProblem {
    KeyPathProblem(
      message: "Property '\(name)' in KeyPath '\(keyPath)' is not a collection of objects or an "
        + "object reference, so it cannot be used as an intermediate keypath element. "
        + "End the key path with it.")
  }
}

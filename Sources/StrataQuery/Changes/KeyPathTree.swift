import StrataSchema

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
  private var known: Set<Way> = []
  /// The names of the observed properties, by position.
  private var counted: [Set<String>] = [[]]

  private struct Key: Hashable {
    let className: String
    let rest: ArraySlice<String>
    /// The property through which objects link here; it is then observed as well.
    let through: String?
  }

  private struct Way: Hashable {
    let from: Int
    let to: Int
    let origin: String
    let property: String
    let isForward: Bool
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
    let way = Way(
      from: position, to: source, origin: origin.className, property: link.name,
      isForward: isForward)
    guard known.insert(way).inserted else { return }
    ways[position].append(
      WayBack(
        from: position, to: source, reference: Reference(origin: origin, property: link),
        className: sources[position].className, isForward: isForward))
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
    message += known.isEmpty ? " It has none." : " It has: \(known.joined(separator: ", "))."
    if let near = NearName.of(name, in: known) { message += " Did you mean '\(near)'?" }
    return KeyPathProblem(message: message)
  }

  /// The first sentence is RealmSwift's.
  static func noLink(_ name: String, in keyPath: String) -> KeyPathProblem {
    KeyPathProblem(
      message: "Property '\(name)' in KeyPath '\(keyPath)' is not a collection of objects or an "
        + "object reference, so it cannot be used as an intermediate keypath element. "
        + "End the key path with it.")
  }
}

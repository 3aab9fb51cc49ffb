/// The rules for the links of one class to the others.
struct LinkValidator {
  private let origin: ObjectSchema
  private let schema: Schema

  init(_ origin: ObjectSchema, _ schema: Schema) {
    self.origin = origin
    self.schema = schema
  }

  var problems: [SchemaProblem] {
    origin.allProperties.flatMap { property -> [SchemaProblem] in
      guard property.type == .object || property.type == .linkingObjects else { return [] }
      let name = property.objectClassName ?? ""
      guard let target = schema[name] else { return [unknownTarget(of: property, name)] }
      return property.isComputed
        ? originProblems(of: property, in: target) : problems(of: property, to: target)
    }
  }

  private func unknownTarget(of property: Property, _ target: String) -> SchemaProblem {
    .unknownLinkTarget(
      class: origin.className, property: property.name, type: kind(of: property), target: target)
  }

  private func problems(of property: Property, to target: ObjectSchema) -> [SchemaProblem] {
    var problems: [SchemaProblem] = []
    // Deleting an object leaves nil in a link, and in the entry of a map.
    let isAlwaysOptional = property.collection == nil || property.collection == .map
    if isAlwaysOptional, !property.allowsNil {
      problems.append(.requiredLink(class: origin.className, property: property.name))
    }
    if property.collection == .list || property.collection == .set, property.allowsNil {
      problems.append(
        .optionalObjects(
          class: origin.className, property: property.name, type: property.typeName))
    }
    if property.collection == .set, target.isEmbedded {
      problems.append(
        .embeddedInSet(
          class: origin.className, property: property.name, target: target.className))
    }
    return problems
  }

  private func originProblems(of property: Property, in target: ObjectSchema) -> [SchemaProblem] {
    let name = property.linkOriginPropertyName ?? ""
    guard let link = target[name] else {
      return [
        .linkOriginDoesNotExist(
          origin: target.className, originProperty: name,
          class: origin.className, property: property.name)
      ]
    }
    guard link.type == .object else {
      return [
        .linkOriginIsNotALink(
          origin: target.className, originProperty: name,
          class: origin.className, property: property.name)
      ]
    }
    if link.objectClassName == origin.className { return [] }
    return [
      .linkOriginLinksElsewhere(
        origin: target.className, originProperty: name,
        class: origin.className, property: property.name, target: link.objectClassName ?? "")
    ]
  }

  /// Returns the kind of property for this sentence, in which Realm omits the unknown target.
  private func kind(of property: Property) -> String {
    switch property.collection {
    case .list: "array"
    case .set: "set"
    case .map: "dictionary"
    case nil: property.type.rawValue
    }
  }
}

/// The cyclic chains of links through embedded classes.
///
/// Realm refuses them, although a chain that ends with nil would be finite: if a class contains
/// itself, the depth of its objects has no limit.
enum EmbeddedCycles {
  static func problems(in schema: Schema) -> [SchemaProblem] {
    schema.objectSchema.compactMap { start in
      guard start.isEmbedded, let path = path(from: start, in: schema) else { return nil }
      return .embeddedCycle(path: path)
    }
  }

  /// Returns the shortest chain from a class back to itself, such as `A.b.a`; nil if there is no
  /// such chain.
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

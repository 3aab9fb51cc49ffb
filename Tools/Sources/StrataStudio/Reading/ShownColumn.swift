package import StrataSchema

/// A property to show, possibly of a linked object: `name`, `dog.owner.name`.
package struct ShownColumn: Sendable {
  /// The path that the user gave.
  package let path: String
  /// The links on the path.
  let links: [Property]
  package let property: Property

  /// All properties of a class.
  static func all(of objectSchema: ObjectSchema) -> [ShownColumn] {
    objectSchema.properties.map {
      ShownColumn(path: $0.name, links: [], property: $0)
    }
  }

  private init(path: String, links: [Property], property: Property) {
    self.path = path
    self.links = links
    self.property = property
  }

  /// - Throws: ``RequestFailure`` with status 400 and code `column` if the path is invalid, or
  ///   leads through a collection.
  init(_ path: String, of className: String, _ schema: StudioSchema) throws(RequestFailure) {
    var current = try schema.objectSchema(className)
    var links: [Property] = []
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for (index, name) in names.enumerated() {
      // A property's name may have dots itself.
      if let property = current[names[index...].joined(separator: ".")] {
        self.init(path: path, links: links, property: property)
        return
      }
      guard let property = current[name] else {
        throw .badColumn(
          path, "'\(PlainText.of(current.className))' has no property '\(PlainText.of(name))'",
          "It has: \(PlainText.of(current.properties.map(\.name).joined(separator: ", "))).")
      }
      guard property.type == .object, property.collection == nil,
        let target = property.objectClassName.flatMap({ schema.schema[$0] })
      else {
        throw .badColumn(
          path,
          "'\(PlainText.of(current.className)).\(PlainText.of(name))' is no link to one object",
          "Show the property itself.")
      }
      links.append(property)
      current = target
    }
    throw .badColumn(path, "it has no name", "Give the name of a property.")
  }
}

extension RequestFailure {
  static func badColumn(_ path: String, _ problem: String, _ repair: String) -> RequestFailure {
    RequestFailure(
      .badRequest, "column", "'\(PlainText.of(path))' can't be shown: \(problem). \(repair)")
  }
}

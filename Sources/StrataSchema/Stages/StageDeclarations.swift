/// The declarations of a stage from one schema version to the next, besides its closure.
package struct StageDeclarations: Sendable, Hashable {
  /// A property that has another name from this version on.
  package struct PropertyRename: Sendable, Hashable {
    package var className: String
    package var old: String
    package var new: String

    /// Describes a rename of a property, by the name that the class has afterwards.
    package init(className: String, old: String, new: String) {
      self.className = className
      self.old = old
      self.new = new
    }
  }

  /// A class that has another name from this version on.
  package struct ClassRename: Sendable, Hashable {
    package var old: String
    package var new: String

    /// Describes a rename of a class.
    package init(old: String, new: String) {
      self.old = old
      self.new = new
    }
  }

  /// `Person.age`, or `Person` for a whole class: what may go.
  package var dropped: Set<String> = []
  /// By classes that become embedded ones, what becomes of objects that can't as they are.
  package var embeddings: [String: EmbeddingChoice] = [:]
  package var renamedProperties: [PropertyRename] = []
  package var renamedClasses: [ClassRename] = []

  /// A stage that says nothing.
  package init() {}

  /// Whether anything must be done besides changing the schema.
  package var needsBlock: Bool {
    !renamedProperties.isEmpty || !renamedClasses.isEmpty
      || dropped.contains { Self.property($0) == nil }
  }
}

extension StageDeclarations {
  /// `Person.age` as class and property; nil without a dot. Only the names of columns may have more
  /// of them.
  package static func property(_ name: String) -> (className: String, name: String)? {
    guard let dot = name.firstIndex(of: ".") else { return nil }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }

  /// A schema in which classes and properties are called as they are after the stage.
  ///
  /// A property whose name another one takes is not in it: see ``replaced(in:)``.
  package func renamed(_ schema: Schema) -> Schema {
    var result = withRenamedClasses(schema)
    for rename in renamedProperties { result = result.renaming(rename).schema }
    return result
  }

  /// A schema in which classes, and not yet properties, are called as after the stage.
  func withRenamedClasses(_ schema: Schema) -> Schema {
    renamedClasses.reduce(schema) { $0.renaming($1.old, to: $1.new) }
  }

  /// The properties whose names others take, and whose values go by that.
  package func replaced(in schema: Schema) -> [PossibleLoss] {
    var result = withRenamedClasses(schema)
    return renamedProperties.compactMap { rename in
      let (schema, replaced) = result.renaming(rename)
      result = schema
      return replaced.map { PossibleLoss(className: rename.className, property: $0) }
    }
  }

  /// What a file has after the stage that had a schema before it, with classes that the version
  /// doesn't know: they stay until they are dropped.
  package func schema(after schema: Schema, to target: Schema) -> Schema {
    var result = renamed(schema.stored)
    for name in dropped where result[name] != nil && target[name] == nil {
      result = result.removing(name)
    }
    for object in target.stored.objectSchema { result.update(object) }
    return result
  }
}

extension Schema {
  /// The schema after a rename, and the property that had the new name before.
  func renaming(
    _ rename: StageDeclarations.PropertyRename
  ) -> (schema: Schema, replaced: Property?) {
    guard var object = self[rename.className], object.property(column: rename.old) != nil else {
      return (self, nil)
    }
    let replaced = object.property(column: rename.new)
    object.properties.removeAll { $0.columnName == rename.new }
    object.removeCompoundIndexes(with: rename.new)
    for index in object.properties.indices where object.properties[index].columnName == rename.old {
      object.properties[index].name = rename.new
      object.properties[index].columnName = rename.new
    }
    if object.primaryKey == rename.old { object.primaryKey = rename.new }
    object.compoundIndexes = object.compoundIndexes.map { columns in
      columns.map { SQLName.same($0, rename.old) ? rename.new : $0 }
    }
    var result = self
    result.update(object)
    return (result, replaced)
  }
}

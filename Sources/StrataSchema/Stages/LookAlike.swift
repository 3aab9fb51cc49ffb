/// A class that only the program has, and one that only the file has, which it looks like: most
/// likely one class that was given another name.
package struct LookAlike: Sendable, Hashable {
  /// The class of the file.
  package var old: String
  /// The class of the program.
  package var new: String

  /// Describes two classes that look alike.
  package init(old: String, new: String) {
    self.old = old
    self.new = new
  }

  /// All of them, by the names of the new classes.
  ///
  /// Classes look alike when at least half of the properties that either has are called the same
  /// and have the same type. Of several old classes it is the one that has most of them.
  package static func all(from file: Schema, to target: Schema) -> [LookAlike] {
    let gone = file.stored.objectSchema.filter { target[$0.className] == nil }
    guard !gone.isEmpty else { return [] }
    return target.stored.objectSchema.filter { file[$0.className] == nil }.compactMap { new in
      let best = gone.map { (old: $0, shared: sharedProperties($0, new)) }
        .filter { old, shared in
          old.isEmbedded == new.isEmbedded && shared > 0
            && 2 * shared >= max(old.properties.count, new.properties.count)
        }
        .max { ($0.shared, $1.old.className) < ($1.shared, $0.old.className) }
      return best.map { LookAlike(old: $0.old.className, new: new.className) }
    }
  }

  private static func sharedProperties(_ old: ObjectSchema, _ new: ObjectSchema) -> Int {
    old.properties.count { property in
      new.property(column: property.columnName)?.typeName == property.typeName
    }
  }
}

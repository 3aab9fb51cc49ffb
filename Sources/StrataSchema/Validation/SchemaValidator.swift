/// The check of all rules for a schema, so that the developer sees all problems at once.
package enum SchemaValidator {
  /// SQLite's default limit (`SQLITE_MAX_COLUMN`): https://www.sqlite.org/limits.html.
  package static let maximumColumnCount = 2000

  /// Returns every problem of the schema.
  package static func problems(in schema: Schema) -> [SchemaProblem] {
    problems(in: schema.objectSchema)
  }

  /// Returns every problem of the classes, which may contain the same one twice.
  ///
  /// The order is always the same for a set of classes: first problems with the names of tables,
  /// then the problems of each class in byte order, then cycles through embedded classes.
  package static func problems(in classes: [ObjectSchema]) -> [SchemaProblem] {
    let sorted = Schema(classes).objectSchema
    let schema = Schema(firstOfEachName(sorted))
    return TableNames.problems(in: sorted)
      + sorted.flatMap { ClassValidator(schema: $0).problems + LinkValidator($0, schema).problems }
      + EmbeddedCycles.problems(in: schema)
  }

  /// Returns a problem for every class whose table would be another class's table in the file.
  ///
  /// A class may be removed from the model while its table stays. For Realm `Person` and `person`
  /// are two classes, but SQLite treats both names as equal.
  package static func problems(in target: Schema, besides stored: Schema) -> [SchemaProblem] {
    TableNames.problems(in: target, besides: stored)
  }

  private static func firstOfEachName(_ sorted: [ObjectSchema]) -> [ObjectSchema] {
    var names: Set<String> = []
    return sorted.filter { names.insert($0.className).inserted }
  }
}

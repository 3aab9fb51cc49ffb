/// The finder of every rule that a schema breaks, so that the developer sees all of them at once.
package enum SchemaValidator {
  /// SQLite's default limit (`SQLITE_MAX_COLUMN`): https://www.sqlite.org/limits.html.
  package static let maximumColumnCount = 2000

  /// Every problem of the schema.
  package static func problems(in schema: Schema) -> [SchemaProblem] {
    problems(in: schema.objectSchema)
  }

  /// Every problem of the classes, which may contain the same one twice.
  ///
  /// The order is the same for the same set of classes: first what concerns the names of tables,
  /// then class by class in byte order, then cycles through embedded classes.
  package static func problems(in classes: [ObjectSchema]) -> [SchemaProblem] {
    let sorted = Schema(classes).objectSchema
    let schema = Schema(firstOfEachName(sorted))
    return TableNames.problems(in: sorted)
      + sorted.flatMap { ClassValidator(schema: $0).problems + LinkValidator($0, schema).problems }
      + EmbeddedCycles.problems(in: schema)
  }

  /// Every class whose table would be that of another one in the file.
  ///
  /// A class may leave the model and its table stays. To Realm `Person` and `person` are two
  /// classes; SQLite has one name for both.
  package static func problems(in target: Schema, besides stored: Schema) -> [SchemaProblem] {
    TableNames.problems(in: target, besides: stored)
  }

  private static func firstOfEachName(_ sorted: [ObjectSchema]) -> [ObjectSchema] {
    var names: Set<String> = []
    return sorted.filter { names.insert($0.className).inserted }
  }
}

import CFuzzing
import StrataQuery
import StrataSchema

/// Texts of conditions on the objects of a class.
enum Filters {
  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let condition = try? QueryFormat.parse(text) else {
      _ = QueryFormat.problem(of: text).flatMap { QueryFormat.column(of: $0, in: text) }
      return
    }
    let (format, arguments) = condition.format()
    require((try? QueryFormat.parse(format, arguments)) == condition, "printed: \(format)")
    guard let thing = schema["Thing"],
      let resolved = try? PredicateResolver(schema).resolve(condition, ofObjects: thing)
    else { return }
    var request = QueryRequest()
    request.add(resolved)
    let base = QueryBase(
      thing, tables: "Thing AS t", rowKey: "t._id", order: "t._id", isByIdentity: true)
    guard (try? request.checkDepth()) != nil, (try? request.checkSize(base)) != nil else { return }
    let sql = request.compiled(for: base)
    let statement = sql.select("t._id")
    if let problem = fuzzing_problem(tables, statement) {
      require(false, "\(String(cString: problem)): \(statement)")
    }
  }

  private static let classes = Schema([
    ObjectSchema(
      className: "Thing",
      properties: [
        property("id", .int), property("name", .string, isIndexed: true),
        property("age", .int, isIndexed: true), property("size", .double),
        property("day", .date), property("cost", .decimal128), property("data", .data),
        property("any", .any), property("next", .object, to: "Thing"),
        property("ages", .int, .list), property("parts", .object, to: "Part", .list),
        property("map", .int, .map),
        Property(
          name: "previous", type: .linkingObjects, objectClassName: "Thing",
          linkOriginPropertyName: "next"),
      ], primaryKey: "id"),
    ObjectSchema(
      className: "Part",
      properties: [
        property("name", .string), property("any", .any), property("owner", .object, to: "Thing"),
      ]),
  ])

  private static let schema = QuerySchema(classes)
  private static let tables = classes.stored.objectSchema.flatMap { TableSQL.createAll($0) }
    .joined(separator: ";")

  private static func property(
    _ name: String, _ type: PropertyType, to target: String? = nil,
    _ collection: CollectionKind? = nil, isIndexed: Bool = false
  ) -> Property {
    Property(
      name: name, type: type, objectClassName: target, collection: collection,
      isOptional: collection == nil && name != "id", isIndexed: isIndexed)
  }
}

extension QueryFormat {
  fileprivate static func problem(of text: String) -> PredicateProblem? {
    do throws(PredicateProblem) {
      _ = try parse(text)
      return nil
    } catch {
      return error
    }
  }
}

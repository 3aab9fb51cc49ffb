import GRDB
import StrataSchema
import StrataStorage

/// A reader of the effects that the deletion of some objects would have.
///
/// ```json
/// {"deleted":{"Person":1},"objects":{"Address":1},"links":{"Visit.person":22},
///  "elements":{"Dog.owners":3},"atLeast":false,"undoable":true,"state":"5f0c"}
/// ```
struct EffectReader {
  let schema: StudioSchema
  let db: Database

  /// The time limit for counting.
  static let maxTime = Duration.seconds(2)

  private struct Effect {
    var deleted: [String: Int] = [:]
    var objects: [String: Int] = [:]
    var links: [String: Int] = [:]
    var elements: [String: Int] = [:]
  }

  /// - Throws: ``RequestFailure`` with status 400 for an invalid request, and 404 for a missing
  ///   object.
  func json(_ request: JSONValue) throws -> JSONValue {
    let objects = try ChangeParser(schema).objects(request)
    let state = try objects.text(schema, db)
    let named = [objects.className: Set(objects.identities)]
    var effect = Effect()
    var (isWhole, isUndoable) = (false, false)
    do {
      try count(named, &effect)
      isWhole = true
      isUndoable = try canBringBack(objects)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      // The time is over: the counts so far are lower bounds.
    }
    return [
      "deleted": Self.json(effect.deleted), "objects": Self.json(effect.objects),
      "links": Self.json(effect.links), "elements": Self.json(effect.elements),
      "atLeast": .bool(!isWhole), "undoable": .bool(isUndoable),
      "state": .text(state),
    ]
  }

  private static func json(_ counts: [String: Int]) -> JSONValue {
    .sorted(counts.filter { $0.value > 0 }) { .int($0) }
  }

  /// Whether an undo could restore all objects. Links between them may count twice.
  private func canBringBack(_ objects: ObjectsState) throws -> Bool {
    let reader = DraftReader(schema: schema, db: db)
    var room = DraftReader.Room()
    return try objects.identities.allSatisfy { identity in
      let link = ObjectLink(className: objects.className, identity: identity)
      return try reader.draft(link, &room) != nil
    }
  }

  private func count(_ named: [String: Set<Int64>], _ effect: inout Effect) throws {
    effect.deleted = named.mapValues(\.count)
    var gone = named
    // Embedded objects are deleted with their parents, recursively.
    var waiting = named.map { (className: $0.key, identities: $0.value) }
    while let (className, identities) = waiting.popLast() {
      let table = try schema.objectSchema(className)
      for child in schema.references.children(of: table) {
        guard let target = child.objectClassName else { continue }
        let found = try children(of: identities, child, table)
          .subtracting(gone[target, default: []])
        guard !found.isEmpty else { continue }
        gone[target, default: []].formUnion(found)
        effect.objects[target, default: 0] += found.count
        waiting.append((target, found))
      }
    }
    for (className, identities) in gone.sorted(by: { $0.key < $1.key }) {
      let isEmbedded = schema.references.isEmbedded(className)
      let anyValues = isEmbedded ? [] : schema.references.anyValues
      for reference in schema.references.links(to: className) + anyValues {
        try count(reference, to: className, identities, gone, &effect)
      }
    }
  }

  private func children(
    of owners: Set<Int64>, _ property: Property, _ table: ObjectSchema
  ) throws -> Set<Int64> {
    let reference = Reference(origin: table, property: property)
    var found: Set<Int64> = []
    try db.forEachRow(
      """
      SELECT \(SQLName.quote(reference.column)) FROM \(SQLName.quote(reference.table)) \
      WHERE \(SQLName.quote(reference.owner)) IN (SELECT value FROM json_each(?))
      """, [IdentityList.parameter(owners)]
    ) { row in
      if let identity = row.integer(0) { found.insert(identity) }
    }
    return found
  }

  /// Counts the links from remaining objects to deleted ones.
  private func count(
    _ reference: Reference, to className: String, _ identities: Set<Int64>,
    _ gone: [String: Set<Int64>], _ effect: inout Effect
  ) throws {
    let (condition, parameters) = reference.classCondition(className)
    let count = try db.count(
      """
      SELECT count(*) FROM \(SQLName.quote(reference.table)) \
      WHERE \(SQLName.quote(reference.column)) IN (SELECT value FROM json_each(?)) \
      AND \(SQLName.quote(reference.owner)) NOT IN (SELECT value FROM json_each(?))\
      \(condition)
      """,
      [
        IdentityList.parameter(identities),
        IdentityList.parameter(gone[reference.origin.className] ?? []),
      ] + parameters)
    guard count > 0 else { return }
    let name = "\(reference.origin.className).\(reference.property.name)"
    // A map keeps the entry with nil, and a list of `AnyRealmValue` keeps the element as nil.
    let isRemoved =
      switch reference.collection?.kind {
      case .set: true
      case .list: reference.property.type != .any
      case .map, nil: false
      }
    if isRemoved {
      effect.elements[name, default: 0] += count
    } else {
      effect.links[name, default: 0] += count
    }
  }
}

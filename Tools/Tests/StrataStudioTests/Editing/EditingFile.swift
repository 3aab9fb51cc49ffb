import Foundation
import Strata
import StrataSchema
import StrataTestKit
import Testing

@testable import StrataStudio

/// A file with each kind of property that can be edited, and an editor of it.
final class EditingFile {
  final class Item: Object {
    @Persisted(primaryKey: true) var key = 0
    @Persisted var name = ""
    @Persisted var amount: Int?
    @Persisted var price = 0.0
    @Persisted var share: Float?
    @Persisted var isOpen = false
    @Persisted var day: Date?
    @Persisted var badge: UUID?
    @Persisted var code: ObjectId?
    @Persisted var cost: Decimal128?
    @Persisted var bytes: Data?
    @Persisted var note: AnyRealmValue
    @Persisted var friend: Item?
    @Persisted var box: Box?
    @Persisted var names: List<String>
    @Persisted var numbers: List<Int?>
    @Persisted var friends: List<Item>
    @Persisted var boxes: List<Box>
    @Persisted var notes: List<AnyRealmValue>
    @Persisted var tags: MutableSet<String>
    @Persisted var peers: MutableSet<Item>
    @Persisted var marks: MutableSet<AnyRealmValue>
    @Persisted var scores: Map<String, Int>
    @Persisted var roles: Map<String, Item?>
    @Persisted var drawers: Map<String, Box?>
    @Persisted var facts: Map<String, AnyRealmValue>
  }

  final class Box: EmbeddedObject {
    @Persisted var label = ""
    @Persisted var sizes: List<Int>
    @Persisted var lid: Lid?
    @Persisted var owner: Item?
  }

  final class Lid: EmbeddedObject {
    @Persisted var colour = ""
  }

  static let types: [ObjectBase.Type] = [Item.self, Box.self, Lid.self]

  let folder: TestFolder
  let reader: FileReader
  let editor: FileEditor

  /// - Parameter fill: Makes the first objects.
  init(makesBackup: Bool = false, _ fill: (Realm) -> Void) throws {
    folder = try TestFolder()
    try folder.open(Self.types) { realm in try realm.write { fill(realm) } }
    var configuration = Realm.Configuration(fileURL: folder.file)
    configuration.dynamicClasses = .all
    reader = FileReader(configuration, name: "test")
    editor = FileEditor(configuration, makesBackup: makesBackup)
  }

  /// One item, `Item 1`.
  convenience init() throws {
    try self.init { $0.create(Item.self, value: ["key": 1, "name": "Ada"]) }
  }

  // MARK: Changing

  /// Makes changes, each as the page writes it: `["set": [...]]`.
  @discardableResult
  func change(_ changes: JSONValue...) async throws -> [String: Int64] {
    let created = try await editor.change(["changes": .array(changes)])
    return Dictionary(uniqueKeysWithValues: created.map { ($0.name, $0.identity) })
  }

  /// Sets a property of the first item.
  @discardableResult
  func set(_ property: String, _ to: JSONValue, was: JSONValue? = nil) async throws
    -> [String: Int64]
  {
    try await change(["set": Self.body(property, [.init("to", to)] + Self.member("was", was))])
  }

  /// The members of a change of the first item.
  static func body(_ property: String, _ members: [JSONValue.Member]) -> JSONValue {
    .object(
      [
        .init("class", "Item"), .init("id", 1), .init("property", .text(property)),
      ] + members)
  }

  private static func member(_ name: String, _ value: JSONValue?) -> [JSONValue.Member] {
    value.map { [JSONValue.Member(name, $0)] } ?? []
  }

  /// Imports items from a text.
  ///
  /// - Parameter change: Sets options.
  func importText(
    _ text: String, _ format: ObjectFormat? = .csv, _ change: (inout ImportWish) -> Void = { _ in }
  ) async throws -> ImportReport {
    var wish = ImportWish("Item", format)
    change(&wish)
    return try await editor.importFile(.bytes(Array(text.utf8)), wish)
  }

  /// The reason why something is refused.
  func failure(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
  ) async throws -> RequestFailure {
    let error = await #expect(throws: RequestFailure.self, sourceLocation: sourceLocation) {
      try await body()
    }
    return try #require(error, sourceLocation: sourceLocation)
  }

  // MARK: Reading

  /// All items as the text of an export.
  func export(_ format: ObjectFormat) async throws -> String {
    try await reader.read { db, schema in
      var text = ""
      try Exporter(Question("Item"), format).write(db, schema) { text += $0 }
      return text
    }
  }

  func object(_ className: String = "Item", _ identity: Int64 = 1) async throws -> JSONValue {
    try await reader.read { db, schema in
      try ObjectReader(schema: schema, db: db).json(
        ObjectLink(className: className, identity: identity))
    }
  }

  /// A value of the first item, as its page has it.
  func value(_ name: String, of identity: Int64 = 1) async throws -> JSONValue? {
    let object = try await object("Item", identity)
    let names = object["columns"]?.array ?? []
    return zip(names, object["values"]?.array ?? []).first { $0.0 == .text(name) }?.1
  }

  /// A value as a page of rows has it, and the first elements of a collection: in a fraction of the
  /// time that a whole object takes.
  func quickValue(_ name: String, of identity: Int64) async throws -> JSONValue? {
    try await reader.read { db, schema in
      let table = try schema.objectSchema("Item")
      let property = try schema.property(name, of: "Item")
      if let collection = CollectionTable(className: "Item", property: property) {
        return [
          "first": try ElementReader(schema, db, collection)
            .json(of: identity, after: nil, limit: 20).list
        ]
      }
      let column = try ShownColumn(name, of: "Item", schema)
      return try RowReader(schema, db, table, showing: [column]).json([identity])
        .array?.first?["values"]?.array?.first
    }
  }

  /// The elements of a collection of the first item.
  func elements(_ name: String, of identity: Int64 = 1) async throws -> [JSONValue] {
    try await value(name, of: identity)?["first"]?.array ?? []
  }

  /// The values of the elements.
  func values(_ name: String, of identity: Int64 = 1) async throws -> [JSONValue] {
    try await elements(name, of: identity).compactMap { $0["value"] }
  }

  func identities(_ className: String = "Item") async throws -> [Int64] {
    try await reader.read { db, _ in
      var found: [Int64] = []
      try db.forEachRow("SELECT _id FROM \"\(className)\" ORDER BY _id") { row in
        if let identity = row.integer(0) { found.append(identity) }
      }
      return found
    }
  }

  /// All items, in the order of their keys, without identities: objects that came back have others.
  func content() async throws -> [String] {
    var items: [String] = []
    for identity in try await identities() {
      let item = try await object("Item", identity)
      items.append(Self.withoutIdentities(item["values"] ?? .null).description)
    }
    return items.sorted()
  }

  private static func withoutIdentities(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let values): .array(values.map(withoutIdentities))
    case .object(let members):
      .object(
        members.compactMap { member in
          if member.name == "id" { return nil }
          // The label of an embedded object may be its identity.
          if member.name == "label", value["object"] != nil { return nil }
          let inner = withoutIdentities(member.value)
          // A set is in the order of identities.
          guard member.name == "first", let elements = inner.array,
            elements.allSatisfy({ $0["at"] == nil && $0["key"] == nil })
          else { return .init(member.name, inner) }
          return .init("first", .array(elements.sorted { $0.description < $1.description }))
        })
    default: value
    }
  }

  /// The problems that a check of the file finds.
  func problems() throws -> [FileProblem] {
    try Realm.problems(for: Realm.Configuration(fileURL: folder.file))
  }
}

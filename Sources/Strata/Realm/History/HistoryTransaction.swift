public import Foundation
public import StrataSchema
public import StrataStorage

/// A transaction of the history of a file.
public struct HistoryTransaction: Sendable, Identifiable {
  /// The position in the history after this transaction.
  public let id: HistoryToken

  /// The time of the commit, by the clock of the machine. Dates may not be ascending.
  public let date: Date

  /// The author, if one was given: see `Realm.write(author:_:)`.
  public let author: String?

  /// The program, its process and its machine, as in `orders-server[4711]@host1`; nil for a program
  /// without this library.
  public let process: String?

  /// The schema version of the file at the time of the transaction.
  public let schemaVersion: UInt64

  /// The kind of the transaction.
  public let kind: Kind

  /// The origin of the file at that time: 16 hexadecimal digits. A restored or copied file gets
  /// another one. Afterwards it may give an object a ``HistoryChange/identity`` that another object
  /// has in the former file. Nil if a release of the library without origins wrote the transaction.
  public let origin: String?

  /// The changed objects, by class name and then by identity.
  public let changes: [HistoryChange]

  /// For a migration, the classes whose objects a closure, a transform or a merge may have changed,
  /// with the numbers of their objects. The individual objects aren't listed, so consumers must
  /// read the class again.
  public let rewrittenClasses: [String: Int]

  /// The kinds of transactions.
  public enum Kind: Sendable, Hashable {
    /// The history began. The existing content of the file isn't in the history.
    case began
    /// A transaction of this library.
    case write
    /// Changes by SQL of another program. The entry may be one of several transactions, or contain
    /// several transactions within a millisecond.
    case otherProgram
    /// The file was migrated to another schema version.
    case migration(from: UInt64?, to: UInt64)
    /// The file was restored from a copy, or is a copy that a program has opened for writing, or a
    /// promoted replica. All objects may have changed, and transactions may be lost.
    case restored
  }

  /// Returns the changes of objects of a class.
  public func changes<Element: ObjectBase>(of type: Element.Type) -> [HistoryChange] {
    let name = type.className()
    return changes.filter { $0.className == name }
  }
}

extension HistoryPage {
  /// Returns the transactions with the names of the program's classes and properties.
  func transactions(_ program: DiscoveredSchema) -> [HistoryTransaction] {
    let classes = HistoryClasses(program: program, file: file)
    return entries.map { HistoryTransaction($0, classes) }
  }
}

extension HistoryTransaction {
  fileprivate init(_ entry: HistoryEntry, _ classes: HistoryClasses) {
    id = entry.token
    date = entry.date
    author = entry.author
    process = entry.process
    schemaVersion = entry.schemaVersion
    origin = entry.origin.map(HistoryToken.text)
    changes = entry.changes.map { HistoryChange($0, classes) }
    rewrittenClasses = entry.migration?.rewritten ?? [:]
    kind =
      switch entry.kind {
      case .began: .began
      case .write: .write
      case .other: .otherProgram
      case .migration:
        .migration(from: entry.migration?.from, to: entry.migration?.to ?? entry.schemaVersion)
      case .restored: .restored
      }
  }
}

/// A consumer of a history: see `Realm.consumeHistory(as:limit:_:)`.
public struct HistoryConsumer: Sendable, Hashable, Identifiable {
  /// The name, which is unique in the file.
  public let name: String

  /// The last transaction that the consumer has processed.
  public let token: HistoryToken

  /// The time at which the consumer processed that transaction.
  public let updatedAt: Date

  /// The number of transactions that the consumer hasn't processed yet.
  public let behind: Int

  /// The name.
  public var id: String { name }

  init(_ consumer: HistoryConsumers.Consumer) {
    name = consumer.name
    token = consumer.token
    updatedAt = consumer.updatedAt
    behind = consumer.behind
  }
}

/// The change of one object in a transaction: the net effect of all its changes.
///
/// | in the transaction | change |
/// |---|---|
/// | inserted, then updated | inserted |
/// | inserted, then deleted | none |
/// | updated, then deleted | deleted |
///
/// A change of a list, a set or a map is an update of the object that owns the collection, with the
/// name of the property. A change of an embedded object is an update of its parent.
public struct HistoryChange: Sendable, Hashable {
  /// The class, by its current name.
  public let className: String

  /// The identity of the object's row, which is never reused for another object; 0 for
  /// `deletedAll`.
  public let identity: Int64

  /// The primary key. Nil for a class without a primary key, for `deletedAll`, and for an object
  /// that has since been deleted together with all others of its class.
  public let primaryKey: HistoryValue?

  /// The kind of the change.
  public let kind: Kind

  /// The kinds of changes.
  public enum Kind: Sendable, Hashable {
    /// The object was inserted.
    case inserted
    /// The given properties changed, by their Swift names, or by their columns if the program
    /// doesn't have them. `oldValues` has the values for classes in `History.classesWithOldValues`.
    case updated(properties: [String], oldValues: [String: HistoryValue])
    /// The object was deleted. `kept` has its primary key and the properties of
    /// `propertiesKeptOnDeletion()`.
    case deleted(kept: [String: HistoryValue])
    /// All objects of a class were deleted at once with `deleteAll`, and none of their values were
    /// kept.
    case deletedAll(count: Int)
  }
}

extension HistoryChange {
  init(_ change: HistoryEntry.Change, _ classes: HistoryClasses) {
    className = classes.name(change.className)
    identity = change.row
    let schema = classes[change.className]
    primaryKey = change.key.flatMap { key in
      schema?.primaryKeyProperty.map { HistoryValue(key, $0.type, className: nil) }
    }
    switch change.kind {
    case .inserted: kind = .inserted
    case .deletedAll(let count): kind = .deletedAll(count: count)
    case .deleted: kind = .deleted(kept: Self.values(change.kept, schema))
    case .updated(let columns):
      kind = .updated(
        properties: columns.map { schema?.property(column: $0)?.name ?? $0 },
        oldValues: Self.values(change.kept, schema))
    }
  }

  /// Returns values by the names of properties.
  private static func values(
    _ columns: [String: StoredValue], _ schema: ObjectSchema?
  ) -> [String: HistoryValue] {
    guard let schema else {
      return columns.mapValues { HistoryValue($0, .string, className: nil) }
    }
    var values: [String: HistoryValue] = [:]
    for property in schema.properties where columns[property.columnName] != nil {
      values[property.name] = HistoryValue(property, columns)
    }
    return values
  }
}

/// The classes of a realm by name, and the classes of its file that the program doesn't have.
struct HistoryClasses {
  let program: DiscoveredSchema
  let file: Schema

  /// Returns the program's name of a class of the file.
  func name(_ className: String) -> String {
    program.classes[className]?.type.className() ?? className
  }

  subscript(className: String) -> ObjectSchema? { program.schema[className] ?? file[className] }
}

/// A value of an object in a history, which can be sent to any thread and stored in any file.
public enum HistoryValue: Sendable, Hashable, Codable {
  case null
  case int(Int)
  case bool(Bool)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Date)
  case uuid(UUID)
  case objectId(ObjectId)
  case decimal(Decimal128)
  /// A link, by the class and the identity of the object.
  case object(className: String, identity: Int64)
  /// A list or a dictionary in an `AnyRealmValue`, as Extended JSON.
  case nested(json: String)
}

extension HistoryValue {
  /// Creates the value of a property from its columns. A value of an invalid type is represented by
  /// its text or number.
  init(_ property: Property, _ columns: [String: StoredValue]) {
    let value = columns[property.columnName] ?? .null
    guard property.type == .any else {
      self.init(value, property.type, className: property.objectClassName)
      return
    }
    guard let column = property.typeColumnName, case .text(let type)? = columns[column] else {
      self = .null
      return
    }
    if NestedKind(rawValue: type) != nil, case .text(let json) = value {
      self = .nested(json: json)
    } else if type.hasPrefix("<"), type.hasSuffix(">") {
      self.init(value, .object, className: String(type.dropFirst().dropLast()))
    } else {
      self.init(value, PropertyType(rawValue: type) ?? .string, className: nil)
    }
  }

  init(_ value: StoredValue, _ type: PropertyType, className: String?) {
    switch (value, type) {
    case (.null, _): self = .null
    case (.integer(let number), .bool): self = .bool(number != 0)
    case (.integer(let number), .object):
      self = .object(className: className ?? "", identity: number)
    case (.integer(let number), _): self = .int(Int(number))
    case (.real(let number), _): self = .double(number)
    case (.blob(let bytes), _): self = .data(Data(bytes))
    case (.text(let text), _): self = Self.typed(text, type) ?? .string(text)
    }
  }

  private static func typed(_ text: String, _ type: PropertyType) -> HistoryValue? {
    switch type {
    case .date: return DateText.decode(text).map { .date($0) }
    case .UUID: return UUID(uuidString: text).map { .uuid($0) }
    case .objectId: return objectId(text).map { .objectId($0) }
    case .decimal128: return Decimal128(text).map { .decimal($0) }
    default: return nil
    }
  }

  private static func objectId(_ text: String) -> ObjectId? {
    var text = text
    return text.withUTF8(ObjectId.init(utf8:))
  }
}

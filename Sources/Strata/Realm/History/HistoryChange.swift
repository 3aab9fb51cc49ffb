public import Foundation
import StrataSchema
public import StrataStorage

/// The change of one object in a transaction: the net effect of all that was done to it.
///
/// | in the transaction | change |
/// |---|---|
/// | inserted, then updated | inserted |
/// | inserted, then deleted | none |
/// | updated, then deleted | deleted |
///
/// A change in a list, a set or a map is an update of the object that has it, naming the property;
/// and a change of an embedded object is an update of the object that it is in.
public struct HistoryChange: Sendable, Hashable {
  /// The class, by today's name.
  public let className: String

  /// The identity of the object's row, which is never given to another object; 0 for `deletedAll`.
  public let identity: Int64

  /// The primary key. Nil for a class without one, for `deletedAll`, and for an object that was
  /// deleted since together with all others of its class.
  public let primaryKey: HistoryValue?

  /// The kind of the change.
  public let kind: Kind

  /// The things that are done to objects.
  public enum Kind: Sendable, Hashable {
    /// The object is new.
    case inserted
    /// These properties have changed, by their names in Swift, or by their columns where the
    /// program lacks them. Old values are those of `History.classesWithOldValues`.
    case updated(properties: [String], oldValues: [String: HistoryValue])
    /// The object is gone; what was kept are its primary key, and the properties that
    /// `propertiesKeptOnDeletion()` names.
    case deleted(kept: [String: HistoryValue])
    /// All objects of a class have gone at once with `deleteAll`, and nothing of them was kept.
    case deletedAll(count: Int)
  }
}

extension HistoryChange {
  init(_ change: HistoryEntry.Change, _ classes: HistoryClasses) {
    className = change.className
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

  /// Values by the names of properties.
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

/// The classes of a realm by name, and those of its file that the program lacks.
struct HistoryClasses {
  private let program: Schema
  private let file: Schema

  init(_ program: Schema, file: Schema) {
    self.program = program
    self.file = file
  }

  subscript(className: String) -> ObjectSchema? { program[className] ?? file[className] }
}

/// A value of an object in a history, which may go to any thread, and into any file.
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
  /// A link, by the class of the object and its identity.
  case object(className: String, identity: Int64)
  /// A list or a dictionary in an `AnyRealmValue`, as Extended JSON.
  case nested(json: String)
}

extension HistoryValue {
  /// The value of the columns of a property; what the file must not have is its text or number.
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

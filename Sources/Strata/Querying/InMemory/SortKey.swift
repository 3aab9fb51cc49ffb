import Foundation
import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// A value of any type, with the sort order of collections. The order is: nil, Booleans, numbers of
/// all types by value, strings and data by their bytes, dates, ids by their text, objects, and then
/// lists and dictionaries of an `AnyRealmValue`.
struct SortKey: Comparable, Hashable {
  private enum Content {
    case none
    case nilLink
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case decimal(Decimal128)
    case bytes(rank: Int, [UInt8])
    case date(Date)
  }

  private let content: Content

  init(_ value: Any?) {
    content =
      switch value {
      case nil: .none
      case let value as Bool: .bool(value)
      case let value as Int: .integer(value)
      case let value as Float: .number(Double(value))
      case let value as Double: .number(value)
      case let value as Decimal128: .decimal(value)
      case let value as String: .bytes(rank: 3, Array(value.utf8))
      case let value as Data: .bytes(rank: 4, Array(value))
      case let value as Date: .date(value)
      case let value as ObjectId: .bytes(rank: 6, Array(value.stringValue.utf8))
      case let value as UUID: .bytes(rank: 7, Array(value.uuidString.utf8))
      case let value as List<AnyRealmValue>: Self.nested(.list(value), rank: 10)
      case let value as Map<String, AnyRealmValue>: Self.nested(.dictionary(value), rank: 11)
      case let value as ObjectBase: .bytes(rank: 8, Self.bytes(of: value))
      case let value?: .bytes(rank: 8, Array("\(value)".utf8))
      }
  }

  /// Returns the sort bytes of an object: its class, followed by its position in the order of
  /// insertion. Unmanaged objects come after managed ones.
  private static func bytes(of object: ObjectBase) -> [UInt8] {
    func bytes(_ number: UInt64) -> [UInt8] {
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    let name = _StoredElement.typeName(ofLinkTo: Swift.type(of: object).className())
    guard object.realm == nil else {
      return name.utf8 + [0] + bytes(UInt64(bitPattern: object._rowID) ^ (1 << 63))
    }
    let address = UInt(bitPattern: ObjectIdentifier(object))
    return name.utf8 + [1] + bytes(UInt64(address))
  }

  private static func nested(_ value: AnyRealmValue, rank: Int) -> Content {
    do throws(RealmError) {
      let nested = try value.nested { object throws(RealmError) in
        _StoredElement(
          .integer(object._rowID),
          type: _StoredElement.typeName(ofLinkTo: Swift.type(of: object).className()))
      }
      return .bytes(rank: rank, Array(nested.text.utf8))
    } catch {
      // The value contains something that no file can store.
      return .bytes(rank: rank, [])
    }
  }

  /// The key of a value after a nil link. It comes last, whereas a nil value comes first.
  static let nilLink = SortKey(content: .nilLink)

  private init(content: Content) { self.content = content }

  /// Whether the value is NaN, which is neither the smallest nor the greatest one.
  var isNaN: Bool {
    switch content {
    case .number(let value): value.isNaN
    case .decimal(let value): value.isNaN
    case .none, .nilLink, .bool, .integer, .bytes, .date: false
    }
  }

  private var rank: Int {
    switch content {
    case .none: 0
    case .bool: 1
    case .integer, .number, .decimal: 2
    case .bytes(let rank, _): rank
    case .date: 5
    case .nilLink: 12
    }
  }

  private var decimal: Decimal128 {
    switch content {
    case .integer(let value): Decimal128(value: value)
    case .number(let value): Decimal128(value: value)
    case .decimal(let value): value
    case .none, .nilLink, .bool, .bytes, .date: Decimal128()
    }
  }

  static func < (first: SortKey, second: SortKey) -> Bool {
    switch (first.content, second.content) {
    case (.integer(let one), .integer(let other)): one < other
    case (.bool(let one), .bool(let other)): !one && other
    case (.number(let one), .number(let other)): one < other || (one.isNaN && !other.isNaN)
    case (.date(let one), .date(let other)): one < other
    case (.bytes(let rank, let one), .bytes(let otherRank, let other)) where rank == otherRank:
      one.lexicographicallyPrecedes(other)
    default:
      first.rank == second.rank
        ? isLess(first.decimal, second.decimal) : first.rank < second.rank
    }
  }

  /// Compares two numbers. NaN comes first, as in files.
  private static func isLess(_ one: Decimal128, _ other: Decimal128) -> Bool {
    one < other || (one.isNaN && !other.isNaN)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    switch content {
    case .bool(let value): hasher.combine(value)
    case .integer, .number, .decimal: hasher.combine(decimal)
    case .bytes(_, let bytes): hasher.combine(bytes)
    case .date(let date): hasher.combine(date)
    case .none, .nilLink: break
    }
  }

  static func == (first: SortKey, second: SortKey) -> Bool {
    !(first < second) && !(second < first)
  }
}

/// A property to sort by, and a direction.
public struct SortDescriptor: Hashable, Sendable {
  /// The name of the property, or the names of links and a property with dots between them.
  public let keyPath: String

  /// Whether the order is ascending. Nil is smaller than any value.
  public let ascending: Bool

  /// The reason why this descriptor is invalid.
  let mistake: String?

  /// Sorts by the property of the given name.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
    mistake = nil
  }

  init(mistake: String, ascending: Bool) {
    keyPath = ""
    self.ascending = ascending
    self.mistake = mistake
  }

  /// Returns a descriptor with the opposite direction.
  public func reversed() -> SortDescriptor {
    if let mistake { return SortDescriptor(mistake: mistake, ascending: !ascending) }
    return SortDescriptor(keyPath: keyPath, ascending: !ascending)
  }
}

extension SortDescriptor: CustomStringConvertible {
  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }
}

extension SortDescriptor: ExpressibleByStringLiteral {
  /// Sorts by the property of the given name, in ascending order.
  public init(stringLiteral value: String) {
    self.init(keyPath: value)
  }
}

extension SortDescriptor {
  /// Sorts by the property of a key path, which may lead through optional links.
  ///
  /// ```swift
  /// people.sorted(by: [SortDescriptor(keyPath: \Person.dog?.name), "age"])
  /// ```
  ///
  /// A key path that computes a value is an error, and the sorted results are empty. Inside of
  /// `write`, the transaction throws the error; elsewhere it is reported.
  public init<Element: ObjectBase>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) {
    guard let name = keyPathString(of: keyPath) else {
      self.init(
        mistake: ErrorText.computedKeyPath(
          Element.className(), "\(type(of: keyPath).valueType)"), ascending: ascending)
      return
    }
    self.init(keyPath: name, ascending: ascending)
  }
}

/// A collection whose elements can be read without knowing their type.
protocol ElementValues {
  /// The elements as dynamic access shows them.
  var elementValues: [Any?] { get }
}

extension Map: ElementValues {
  var elementValues: [Any?] { values.map { unwrapped($0._dynamicElement) } }
}

/// A type whose values can be read by name: an object or a map.
protocol KeyedValues {
  /// Returns a value by its name, without boxing numbers.
  func unboxedValue(_ key: String) -> Any?
}

extension ObjectBase: KeyedValues {}
extension DynamicObject: KeyedValues {}

extension Map: KeyedValues {
  func unboxedValue(_ key: String) -> Any? { self[Key(_text: key)]?._dynamicElement }
}

extension QuerySchema {
  private static let known = Mutex<[ObjectIdentifier: QuerySchema]>([:])

  /// Returns the schema of a class and of all classes that it links to, for unmanaged objects.
  static func ofUnmanaged(_ type: ObjectBase.Type) throws(RealmError) -> QuerySchema {
    if let schema = known.withLock({ $0[ObjectIdentifier(type)] }) { return schema }
    var classes: [ObjectIdentifier: ObjectSchema] = [:]
    var waiting = [type]
    while let next = waiting.popLast() {
      guard classes[ObjectIdentifier(next)] == nil else { continue }
      let info = try ClassInfo.of(next)
      classes[ObjectIdentifier(next)] = info.objectSchema
      waiting += info.targets.compactMap { $0 }
    }
    let schema = QuerySchema(Schema(Array(classes.values)))
    known.withLock { $0[ObjectIdentifier(type)] = schema }
    return schema
  }
}

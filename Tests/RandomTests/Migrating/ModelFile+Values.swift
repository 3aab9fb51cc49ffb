import Foundation
import StrataSchema

@testable import Strata
@testable import StrataStorage

extension ModelFile.Value {
  /// Converts a property's value in a live object or a migration object.
  init(_ value: Any?, _ property: Property) {
    switch property.collection {
    case nil: self.init(element: value)
    case .list?:
      self = .list((value as? any Sequence)?.elements.map { Self(element: $0) } ?? [])
    case .set?:
      self = .set(Set((value as? any Sequence)?.elements.map { Self(element: $0) } ?? []))
    case .map?:
      self = .map((value as? any EntriesOfMap)?.entries.mapValues { Self(element: $0) } ?? [:])
    }
  }

  init(element value: Any?) {
    guard let value else {
      self = .none
      return
    }
    switch value {
    case let value as any OptionalForText:
      self = value.content.map { Self(element: $0) } ?? .none
    case let value as AnyRealmValue:
      self.init(element: value.rawValue)
    case let list as List<AnyRealmValue>:
      self = .list(list.map { Self(element: $0) })
    case let dictionary as Map<String, AnyRealmValue>:
      self = .map(dictionary.entries.mapValues { Self(element: $0) })
    case let object as DynamicObject:
      self = .link(ModelFile.Ref(className: object.table.className, row: object.rowID))
    case let object as ObjectBase:
      self = .link(ModelFile.Ref(className: type(of: object).className(), row: object._rowID))
    case let date as Date: self = .scalar("date \(date.timeIntervalSinceReferenceDate)")
    case let data as Data: self = .scalar("data \(Array(data))")
    default:
      let value = unboxedNumber(value)
      self = .scalar("\(type(of: value)) \(value)")
    }
  }

  /// The initial value of a property.
  static func empty(_ property: Property) -> Self {
    switch property.collection {
    case .list?: .list([])
    case .set?: .set([])
    case .map?: .map([:])
    case nil: property.isNullable ? .none : zero(property)
    }
  }

  static func zero(_ property: Property) -> Self {
    switch property.type {
    case .int: Self(element: 0)
    case .bool: Self(element: false)
    case .float: Self(element: Float(0))
    case .double: Self(element: 0.0)
    case .string: Self(element: "")
    case .data: Self(element: Data())
    case .date: Self(element: Date(timeIntervalSince1970: 0))
    case .UUID: Self(element: UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
    case .objectId: .scalar("ObjectId 000000000000000000000000")
    case .decimal128: Self(element: Decimal128(value: 0))
    case .any, .object, .linkingObjects: .none
    }
  }
}

extension Sequence {
  fileprivate var elements: [Any?] { map { $0 as Any? } }
}

private protocol EntriesOfMap { var entries: [String: Any?] { get } }
extension Map: EntriesOfMap {
  fileprivate var entries: [String: Any?] {
    Dictionary(uniqueKeysWithValues: map { ("\($0.key)", $0.value as Any?) })
  }
}

extension ModelFile {
  /// Reads all objects of the classes of a realm; what else is in the file stays as it is.
  ///
  /// - Parameter embeddedRows: The rows of the embedded class, of which a realm shows only those
  ///   that another object of the program leads to.
  mutating func read(_ realm: Realm, _ types: [ObjectBase.Type], embeddedRows: [Int64]) throws {
    var children: [ObjectBase] = []
    for type in types {
      let name = type.className()
      let info = try ClassInfo.of(type)
      var table = Table(schema: info.objectSchema.stored)
      if let type = type as? Object.Type {
        for object in realm.objects(type) {
          let found = Self.values(object, info, &children)
          table.rows[object._rowID] = hidden(name, object._rowID, found, types)
        }
      } else {
        let known = tables[name]?.rows ?? [:]
        for row in embeddedRows { table.rows[row] = known[row] ?? [:] }
      }
      tables[name] = table
    }
    var ignored: [ObjectBase] = []
    for child in children {
      let info = try ClassInfo.of(type(of: child))
      let found = Self.values(child, info, &ignored)
      let values = hidden(info.className, child._rowID, found, types)
      tables[info.className]?.rows[child._rowID] = values
    }
  }

  /// The values that were read, with existing links that a realm can't show, because it lacks the
  /// class.
  private func hidden(
    _ className: String, _ row: Int64, _ found: [String: Value], _ types: [ObjectBase.Type]
  ) -> [String: Value] {
    let visible = Set(types.map { $0.className() })
    let known = tables[className]?.rows[row] ?? [:]
    return found.merging(known) { found, known in
      known.hasLink(outsideOf: visible) && found == known.shown(with: visible) ? known : found
    }
    .filter { found[$0.key] != nil }
  }

  private static func values(
    _ object: ObjectBase, _ info: ClassInfo, _ children: inout [ObjectBase]
  ) -> [String: Value] {
    var values: [String: Value] = [:]
    for property in info.objectSchema.properties where !property.isComputed {
      let value = object[property.name]
      values[property.columnName] = Value(value, property)
      switch value {
      case let child as EmbeddedObject: children.append(child)
      case let list as any Sequence: children += list.compactMap { $0 as? EmbeddedObject }
      default: break
      }
      if let map = value as? any EntriesOfMap {
        children += map.entries.values.compactMap { $0 as? EmbeddedObject }
      }
    }
    return values
  }

  /// Compares with what a realm shows.
  ///
  /// Objects that are part of others are compared as part of them: which of several copies got
  /// which row says nothing.
  func expect(_ other: ModelFile, _ classNames: [String]) throws {
    for name in classNames {
      guard let mine = tables[name], let theirs = other.tables[name] else {
        throw ProgramRunner.Mismatch("class \(name) is missing")
      }
      if mine.schema.isEmbedded {
        guard mine.rows.count == theirs.rows.count else {
          throw ProgramRunner.Mismatch(
            "\(name) has rows \(theirs.rows.keys.sorted()), not \(mine.rows.keys.sorted())")
        }
        continue
      }
      guard mine.rows.keys.sorted() == theirs.rows.keys.sorted() else {
        throw ProgramRunner.Mismatch(
          "\(name) has rows \(theirs.rows.keys.sorted()), not \(mine.rows.keys.sorted())")
      }
      for row in mine.rows.keys.sorted() {
        for property in mine.schema.properties {
          let key = property.columnName
          let found = other.inlined(theirs.rows[row]?[key] ?? .none, classNames)
          let expected = inlined(mine.rows[row]?[key] ?? .none, classNames)
          guard found.fits(expected) else {
            throw ProgramRunner.Mismatch("\(name) \(row) \(key) is \(found), not \(expected)")
          }
        }
      }
    }
  }

  /// The value with embedded objects in the place of links to them, and without what the program's
  /// classes can't show.
  func inlined(_ value: Value, _ visible: [String]) -> Value {
    switch value {
    case .link(let ref):
      guard visible.contains(ref.className) else { return .none }
      guard isEmbedded(ref.className) else { return value }
      let values = tables[ref.className]?.rows[ref.row] ?? [:]
      let columns = tables[ref.className]?.schema.properties.map(\.columnName) ?? []
      return .map(
        Dictionary(
          uniqueKeysWithValues: columns.map { ($0, inlined(values[$0] ?? .none, visible)) }))
    case .list(let values): return .list(values.map { inlined($0, visible) })
    case .set(let values): return .set(Set(values.map { inlined($0, visible) }))
    case .map(let values): return .map(values.mapValues { inlined($0, visible) })
    case .none, .scalar, .unknown: return value
    }
  }
}

extension ModelFile.Value {
  fileprivate func hasLink(outsideOf visible: Set<String>) -> Bool {
    links.contains { !visible.contains($0.className) }
  }

  /// The value as seen by a program with only some of the classes.
  func shown(with visible: Set<String>) -> Self {
    switch self {
    case .link(let ref): visible.contains(ref.className) ? self : .none
    case .list(let values): .list(values.map { $0.shown(with: visible) })
    case .set(let values): .set(Set(values.map { $0.shown(with: visible) }))
    case .map(let values): .map(values.mapValues { $0.shown(with: visible) })
    case .none, .scalar, .unknown: self
    }
  }

  /// Whether what was read is what was expected.
  func fits(_ expected: Self) -> Bool {
    switch (self, expected) {
    case (_, .unknown): true
    case (.list(let found), .list(let wanted)):
      found.count == wanted.count && zip(found, wanted).allSatisfy { $0.fits($1) }
    case (.map(let found), .map(let wanted)):
      found.count == wanted.count
        && wanted.allSatisfy { key, value in found[key]?.fits(value) == true }
    default: self == expected
    }
  }
}

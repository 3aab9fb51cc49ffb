import StrataQuery
import StrataSchema
import StrataStorage
import Synchronization

/// A collection whose elements can be read without knowing their type.
protocol ElementValues {
  /// The elements as dynamic access shows them.
  var elementValues: [Any?] { get }
}

/// A map whose keys can be read without knowing their type.
protocol ElementKeys {
  var elementKeys: [String] { get }
}

extension List: ElementValues {
  var elementValues: [Any?] { map { unwrapped($0._dynamicElement) } }
}

extension MutableSet: ElementValues {
  var elementValues: [Any?] { map { unwrapped($0._dynamicElement) } }
}

extension Map: ElementValues, ElementKeys {
  var elementValues: [Any?] { values.map { unwrapped($0._dynamicElement) } }
  var elementKeys: [String] { keys.map(\._text) }
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
  ///
  /// - Throws: ``RealmError`` with code `fail` for a class whose properties can't be read.
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

import StrataSchema
import StrataStorage

extension AnyRealmValue {
  /// A list of values, which stays in memory until its object is added to a realm.
  ///
  /// ```swift
  /// setting.value = .fromArray([1, "two", .fromArray([3])])
  /// ```
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: array)
    return .list(list)
  }

  /// A dictionary of values, which stays in memory until its object is added to a realm.
  ///
  /// ```swift
  /// setting.value = .fromDictionary(["size": 12, "fonts": .fromArray(["Mono", "Sans"])])
  /// ```
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    for (key, value) in dictionary { map.updateValue(value, forKey: key) }
    return .dictionary(map)
  }

  /// The list; nil if the value isn't a list. The list of a managed object is live:
  /// `value.listValue?.append(4)` inside of `write` changes the object.
  ///
  /// Each change writes the whole value with everything in it, so the cost grows with the size of
  /// the value. A property of type `List<AnyRealmValue>` has no such cost.
  public var listValue: List<AnyRealmValue>? {
    if case .list(let list) = self { list } else { nil }
  }

  /// The dictionary; nil if the value isn't one. It is live for a managed object, like
  /// ``listValue``.
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    if case .dictionary(let map) = self { map } else { nil }
  }

  /// The element of a list; nil if the value isn't a list. A position out of range stops the
  /// process.
  public subscript(position: Int) -> AnyRealmValue? {
    get { listValue?[position] }
    nonmutating set {
      guard let list = listValue else { return }
      list[position] = newValue ?? .none
    }
  }

  /// The value of a key of a dictionary; nil without that key, and if the value isn't a dictionary.
  /// Setting nil removes the key.
  public subscript(key: String) -> AnyRealmValue? {
    get { dictionaryValue?[key] }
    nonmutating set { dictionaryValue?[key] = newValue }
  }
}

// MARK: - Text

extension AnyRealmValue {
  /// The value as a part of a nested collection's text.
  ///
  /// - Parameter link: Returns the stored link to an object.
  /// - Throws: ``RealmError`` with code `fail` for a value that can't be stored, and for more
  ///   nested collections than Realm allows.
  func nested(
    level: Int = 0, _ link: (Object) throws(RealmError) -> _StoredElement
  ) throws(RealmError) -> NestedValue {
    switch self {
    case .list(let list):
      try Self.checkLevel(level)
      try list.checkNotInvalidated()
      var items: [NestedValue] = []
      for element in list { items.append(try element.nested(level: level + 1, link)) }
      return .list(items)
    case .dictionary(let map):
      try Self.checkLevel(level)
      try map.checkNotInvalidated()
      var entries: [NestedEntry] = []
      for (key, value) in map {
        entries.append(NestedEntry(key: key, value: try value.nested(level: level + 1, link)))
      }
      return .dictionary(unordered: entries)
    case .object(let object): return NestedValue(try link(object)) ?? .null
    // The text can hold numbers that an SQLite column can't, such as NaN.
    case .double(let number): return .value(.real(number), .double)
    case .float(let number): return .value(.real(Double(number)), .float)
    default:
      guard let stored = storedElement else {
        throw RealmError(.fail, ErrorText.unstorableElement(of: unstorableType))
      }
      return NestedValue(stored) ?? .null
    }
  }

  private static func checkLevel(_ level: Int) throws(RealmError) {
    guard level < NestedValue.maxLevels else {
      throw RealmError(.fail, ErrorText.nestedTooDeep(NestedValue.maxLevels))
    }
  }

  /// Whether the value is a list or a dictionary.
  var isNested: Bool {
    switch self {
    case .list, .dictionary: true
    default: false
    }
  }

  /// The rows of a list or a dictionary; nil in memory, and for other values.
  var nestedRows: _CollectionRows? {
    switch self {
    case .list(let list): list.rows
    case .dictionary(let map): map.rows
    default: nil
    }
  }

  /// Creates a list or a dictionary with the given rows.
  init?(nested rows: _CollectionRows, typeName: String?) {
    switch typeName.flatMap(NestedKind.init) {
    case .list?: self = .list(List(rows))
    case .dictionary?: self = .dictionary(Map(rows))
    case nil: return nil
    }
  }

  /// Converts an array or a dictionary of values of unknown types. Nil for anything else, and if it
  /// contains a value that can't be converted.
  static func convertingCollection(_ value: Any, level: Int) -> AnyRealmValue? {
    switch value {
    case let list as List<AnyRealmValue>: return .list(list)
    case let map as Map<String, AnyRealmValue>: return .dictionary(map)
    case let values as [Any?]:
      guard level <= NestedValue.maxLevels else { return nil }
      let list = List<AnyRealmValue>()
      for value in values {
        guard let element = converting(value, level: level + 1) else { return nil }
        list.append(element)
      }
      return .list(list)
    case is MapEntries, is [String: Any?]:
      guard level <= NestedValue.maxLevels else { return nil }
      let map = Map<String, AnyRealmValue>()
      for (key, value) in mapEntries(value) ?? [] {
        guard let element = converting(value, level: level + 1) else { return nil }
        map.updateValue(element, forKey: key)
      }
      return .dictionary(map)
    default: return nil
    }
  }
}

/// The wrappers of some properties, as one value.
protocol DynamicStorage: SendableMetatype {
  init()

  /// The wrappers in their order, and where each is, given where the value is.
  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)]
}

extension Persisted: DynamicStorage {
  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)] {
    [(start, self)]
  }
}

/// The storage of a class without properties.
struct NoStorage: DynamicStorage {
  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)] { [] }
}

/// Two values one after the other. Pairs of pairs, a balanced tree, hold any number of wrappers.
struct StoragePair<First: DynamicStorage, Second: DynamicStorage>: DynamicStorage {
  private var first = First()
  private var second = Second()

  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)] {
    guard let distance = MemoryLayout<Self>.offset(of: \.second) else {
      stopForProgrammerError("The layout of '\(Self.self)' isn't known.")
    }
    return First.wrappers(at: start) + Second.wrappers(at: start + distance)
  }
}

/// The storage that has some others, in their order.
func dynamicStorage(of parts: ArraySlice<any DynamicStorage.Type>) -> any DynamicStorage.Type {
  func pair<First: DynamicStorage, Second: DynamicStorage>(
    _: First.Type, _: Second.Type
  ) -> any DynamicStorage.Type {
    StoragePair<First, Second>.self
  }
  guard let first = parts.first else { return NoStorage.self }
  guard parts.count > 1 else { return first }
  let middle = parts.startIndex + parts.count / 2
  return pair(dynamicStorage(of: parts[..<middle]), dynamicStorage(of: parts[middle...]))
}

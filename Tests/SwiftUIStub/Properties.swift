import Observation

// Declarations of SwiftUI with their published signatures, as far as the tests use them, with
// bodies of our own: enough to compile views, and for `Screen` to show them.

public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

/// A property that a screen connects before it computes a view.
@MainActor
protocol ConnectedProperty {
  func connect(_ place: String, to memory: ScreenMemory, _ environment: EnvironmentValues)
}

@propertyWrapper
public struct State<Value>: DynamicProperty {
  @Observable
  final class Storage {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  /// The storage that all copies of the property share, until a screen connects it to its memory.
  final class Connection {
    var storage: Storage
    init(_ storage: Storage) { self.storage = storage }
  }

  private let connection: Connection

  public init(wrappedValue: Value) { connection = Connection(Storage(wrappedValue)) }

  public var wrappedValue: Value {
    get { connection.storage.value }
    nonmutating set { connection.storage.value = newValue }
  }

  public var projectedValue: Binding<Value> {
    let connection = connection
    return Binding {
      connection.storage.value
    } writing: {
      connection.storage.value = $0
    }
  }
}

extension State: ConnectedProperty {
  func connect(_ place: String, to memory: ScreenMemory, _ environment: EnvironmentValues) {
    connection.storage = memory.first(at: place, connection.storage)
  }
}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]

  public init() {}

  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  final class Connection {
    var values = EnvironmentValues()
  }

  private let keyPath: KeyPath<EnvironmentValues, Value>
  private let connection = Connection()

  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

  public var wrappedValue: Value { connection.values[keyPath: keyPath] }
}

extension Environment: ConnectedProperty {
  func connect(_ place: String, to memory: ScreenMemory, _ environment: EnvironmentValues) {
    connection.values = environment
  }
}

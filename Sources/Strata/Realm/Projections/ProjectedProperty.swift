import IssueReporting
import StrataStorage
import Synchronization

/// A property of a projection class, and the part of the object that it shows.
struct ProjectedProperty: @unchecked Sendable {
  /// The name in the projection.
  let name: String
  // guarded by: nothing; key paths are immutable, and `read` captures no object.
  let keyPath: AnyKeyPath
  /// The projected key path for descriptions, such as `address.city`; the first one of several.
  let origin: String
  /// The key paths to observe; none for a property that reads no stored property.
  let keyPaths: [String]
  /// Whether the value depends only on columns of the object itself.
  let isOfOwnColumns: Bool
  /// Returns the value for an object of the class.
  let read: (ObjectBase) -> Any

  /// The paths that the key path may unwrap with `!`.
  let unwrappedPaths: [PersistedPath]

  /// Returns the value for an object; nil for nil, and where a key path with `!` would stop the
  /// process.
  func value(of object: ObjectBase) -> Any? {
    for path in unwrappedPaths where path.isBroken(of: object) { return nil }
    return unwrapped(read(object))
  }
}

/// Returns the projected properties of a projection's class: superclasses come first, each in the
/// order of declaration.
///
/// The properties are found once per class, from its first projection; errors are reported then.
func projectedProperties(of projection: some ProjectionObservable) -> [ProjectedProperty] {
  let key = ObjectIdentifier(type(of: projection))
  if let known = knownProjections.withLock({ $0[key] }) { return known }
  // Not under the lock, because code of the model runs here.
  let found = ordinarily { discovered(in: projection) }
  let isFirst = knownProjections.withLock { known in
    known.updateValue(found.properties, forKey: key) == nil
  }
  if isFirst { for mistake in found.mistakes { reportIssue("\(mistake)") } }
  return found.properties
}

private let knownProjections = Mutex<[ObjectIdentifier: [ProjectedProperty]]>([:])

private func discovered(
  in projection: some ProjectionObservable
) -> (properties: [ProjectedProperty], mistakes: [String]) {
  var properties: [ProjectedProperty] = []
  var mirror: Mirror? = Mirror(reflecting: projection)
  while let current = mirror {
    properties.insert(contentsOf: current.children.compactMap(ProjectedProperty.init), at: 0)
    mirror = current.superclassMirror
  }
  let mistakes = properties.filter(\.keyPaths.isEmpty).map { property in
    "@Projected property '\(property.name)' must be a part of Realm object: "
      + "'\(property.keyPath)' reads no property that is in the file. Project a '@Persisted' "
      + "property."
  }
  return (properties, mistakes)
}

extension PersistedPath {
  /// Returns whether a link on the path, or the value at its end, is nil.
  fileprivate func isBroken(of object: ObjectBase) -> Bool {
    var value: Any? = object
    for property in properties {
      guard let next = value as? ObjectBase else { return value == nil }
      value = unwrapped(next.unboxedValue(property.name))
    }
    return value == nil
  }
}

extension ProjectedProperty {
  /// Creates the description of a property; nil for a property that isn't projected.
  fileprivate init?(_ child: Mirror.Child) {
    guard let label = child.label, let wrapper = child.value as? any AnyProjected else {
      return nil
    }
    self = wrapper.property(named: propertyName(ofStorage: label))
  }
}

private protocol AnyProjected {
  func property(named name: String) -> ProjectedProperty
}

extension Projected: AnyProjected {
  fileprivate func property(named name: String) -> ProjectedProperty {
    var value: Any?
    var paths: [PersistedPath] = []
    if let info = ClassInfo.reporting(T.self) {
      let reads = PropertyReads(info, of: T.self, suppliesValues: keyPath.unwraps) {
        value = $0[keyPath: keyPath]
      }
      defer { reads?.end() }
      paths = reads?.reads.map(\.path) ?? []
    }
    let elementPaths = (unwrapped(value) as? any ProjectedValues)?.keyPaths ?? []
    return ProjectedProperty(
      name: name, keyPath: keyPath, origin: paths.first?.text ?? "",
      keyPaths: paths.flatMap { path in
        elementPaths.isEmpty ? [path.text] : elementPaths.map { "\(path.text).\($0)" }
      },
      isOfOwnColumns: paths.allSatisfy { path in
        path.ownProperty.map { $0.collection == nil && !$0.isComputed } ?? false
      },
      read: { [keyPath] object in
        // The object is of the class of the projection's object.
        unsafeDowncast(object, to: T.self)[keyPath: keyPath]
      },
      unwrappedPaths: keyPath.unwraps ? paths : [])
  }
}

/// A collection of projected values, of any type.
private protocol ProjectedValues {
  var keyPaths: [String] { get }
}

extension ProjectedCollection: ProjectedValues {
  fileprivate var keyPaths: [String] { source.keyPaths }
}

/// A property of a ``Projection`` that shows a property of its object, or a value computed from it.
///
/// ```swift
/// class PersonProjection: Projection<Person> {
///   @Projected(\Person.firstName) var name
///   @Projected(\Person.lastName.localizedUppercase) var lastNameCaps
///   @Projected(\Person.address?.city) var homeCity
///   @Projected(\Person.friends.projectTo.firstName) var friendsNames: ProjectedCollection<String>
/// }
/// ```
/// Reading returns the object's value at the key path. Setting changes the object, inside of
/// `write`. A read-only key path, such as one with `?.` or a computed one, can't be set: this is
/// reported through `IssueReporting`, and nothing is changed.
@propertyWrapper
public struct Projected<T: ObjectBase, Value> {
  let keyPath: KeyPath<T, Value>

  /// Creates a projected property.
  ///
  /// - Parameter projectedKeyPath: The key path from the object to the value.
  public init(_ projectedKeyPath: KeyPath<T, Value>) {
    keyPath = projectedKeyPath
  }

  @available(
    *, unavailable, message: "@Projected can only be used in a class that inherits from Projection."
  )
  public var wrappedValue: Value {
    get { stopForProgrammerError("unavailable") }
    set { stopForProgrammerError("unavailable \(newValue)") }
  }

  public static subscript<EnclosingSelf: Projection<T>>(
    _enclosingInstance projection: EnclosingSelf,
    wrapped _: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storage: ReferenceWritableKeyPath<EnclosingSelf, Self>
  ) -> Value {
    get {
      let keyPath = projection[keyPath: storage].keyPath
      projection.reading?.record(keyPath)
      return projection.rootObject[keyPath: keyPath]
    }
    set {
      let keyPath = projection[keyPath: storage].keyPath
      guard let keyPath = keyPath as? ReferenceWritableKeyPath<T, Value> else {
        reportIssue("\(ErrorText.readOnlyKeyPath(keyPath))")
        return
      }
      projection.rootObject[keyPath: keyPath] = newValue
    }
  }
}

extension ErrorText {
  static func readOnlyKeyPath(_ keyPath: AnyKeyPath) -> String {
    "KeyPath is not writable: '\(keyPath)' only reads. Set the property of the object that it is read of."
  }
}

/// A recorder of the projected properties that are read from a projection.
final class ProjectionReading {
  private(set) var keyPaths: [AnyKeyPath] = []

  func record(_ keyPath: AnyKeyPath) { keyPaths.append(keyPath) }
}

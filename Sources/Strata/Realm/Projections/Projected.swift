import IssueReporting
import StrataStorage

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

import IssueReporting
import StrataStorage

/// A property of a ``Projection`` that shows a property of its object, or something that is
/// computed of it.
///
/// ```swift
/// class PersonProjection: Projection<Person> {
///   @Projected(\Person.firstName) var name
///   @Projected(\Person.lastName.localizedUppercase) var lastNameCaps
///   @Projected(\Person.address?.city) var homeCity
///   @Projected(\Person.friends.projectTo.firstName) var friendsNames: ProjectedCollection<String>
/// }
/// ```
/// Reading gives what the key path gives of the object. Setting changes the object, inside of
/// `write`; a key path that only reads, such as one with `?.` or one that computes something, can't
/// be set: that is reported through `IssueReporting`, and nothing is changed.
@propertyWrapper
public struct Projected<T: ObjectBase, Value> {
  let keyPath: KeyPath<T, Value>

  /// - Parameter projectedKeyPath: From the object to the value.
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
      projection.reading?.note(keyPath)
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

/// Notes which projected properties are read of a projection.
final class ProjectionReading {
  private(set) var keyPaths: [AnyKeyPath] = []

  func note(_ keyPath: AnyKeyPath) { keyPaths.append(keyPath) }
}

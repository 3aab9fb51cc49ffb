import IssueReporting
import Synchronization

/// A property of a class of projections, and what of the object it shows.
struct ProjectedProperty: @unchecked Sendable {
  /// The name in the projection.
  let name: String
  // guarded by: nothing; key paths are immutable, and `read` captures no object.
  let keyPath: AnyKeyPath
  /// What it shows, as descriptions name it: `address.city`. Of several properties the first.
  let origin: String
  /// What counts where it is observed; none for a property that reads nothing of the file.
  let keyPaths: [String]
  /// Whether the columns of the object alone decide its value.
  let isOfOwnColumns: Bool
  /// The value for an object of the class.
  let read: (ObjectBase) -> Any

  /// What the key path may unwrap with `!`.
  let unwrappedPaths: [PersistedPath]

  /// The value for an object; nil for nil, and where a key path with `!` would end the process.
  func value(of object: ObjectBase) -> Any? {
    for path in unwrappedPaths where path.isBroken(of: object) { return nil }
    return unwrapped(read(object))
  }
}

/// The projected properties of the class of a projection: those of superclasses first, then in the
/// order of declaration.
///
/// Found out once for each class, from its first projection; mistakes are reported then.
func projectedProperties(of projection: some ProjectionObservable) -> [ProjectedProperty] {
  let key = ObjectIdentifier(type(of: projection))
  if let known = knownProjections.withLock({ $0[key] }) { return known }
  // Not under the lock: the model's own code runs here.
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
  /// Whether a link on the way is nil, or the value at the end.
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
  /// Nil for a property that isn't projected.
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
        // Its class is that of the projection's object.
        unsafeDowncast(object, to: T.self)[keyPath: keyPath]
      },
      unwrappedPaths: keyPath.unwraps ? paths : [])
  }
}

/// A collection of projected values, of whatever type these are.
private protocol ProjectedValues {
  var keyPaths: [String] { get }
}

extension ProjectedCollection: ProjectedValues {
  fileprivate var keyPaths: [String] { source.keyPaths }
}

import IssueReporting
public import Observation
import StrataStorage

/// A view of objects of one class: some of their properties, renamed, computed, or read through
/// links.
///
/// ```swift
/// class PersonProjection: Projection<Person> {
///   @Projected(\Person.firstName) var name
///   @Projected(\Person.address?.city) var homeCity
/// }
/// for person in realm.objects(PersonProjection.self).filter("age > 30") {
///   print(person.name, person.homeCity ?? "nowhere")
/// }
/// let ada = PersonProjection(projecting: person)
/// ```
/// A projection has no data of its own: it shows the current values of its object, belongs to the
/// same isolation, and can be frozen and passed on like the object. An observer of a projection, or
/// of results of projections, is notified only of changes of projected properties. Conditions and
/// orders of results use the properties of the object.
///
/// A property whose key path reads no stored property is an error, which is reported through
/// `IssueReporting` when the class is first used. It can be read nevertheless.
open class Projection<Root: ObjectBase>: ProjectionObservable {
  public typealias PersistedType = Root

  /// The projected object.
  public final let rootObject: Root
  /// The recorder of reads, for a projection that is created to find the properties of a key path.
  final var reading: ProjectionReading?

  /// Creates a projection of a managed or unmanaged object.
  public required init(projecting object: Root) {
    rootObject = object
    // Reports errors of the class now, and not only when it is observed.
    _ = projectedProperties(of: self)
  }

  /// A description with the class, the class of the object, and the projected properties with their
  /// key paths.
  open var description: String {
    let address = Unmanaged.passUnretained(rootObject).toOpaque()
    let lines = projectedProperties(of: self).map { property in
      "\t\(property.name)(\\.\(property.origin)) = \(property.read(rootObject));"
    }
    return "\(type(of: self))<\(type(of: rootObject))> <\(address)> {\n\t"
      + lines.joined(separator: "\n") + "\n}"
  }
}

extension Projection: Hashable {
  /// Returns whether both show the same object.
  public static func == (first: Projection, second: Projection) -> Bool {
    first.rootObject == second.rootObject
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rootObject) }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
  public var id: UInt64 { rootObject.instanceIdentity }
}

extension Projection: CustomStringConvertible {}

extension Projection: Observable {}

extension Projection: ThreadConfined {
  /// Whether the object was managed by a realm, and isn't any more.
  public var isInvalidated: Bool { rootObject.isInvalidated }

  public func _confined() -> _Confined? {
    rootObject._confined()?.map { (object: Root) in Self(projecting: object) }
  }
}

// Conformance to elements of results.
extension Projection {
  public static var _elementType: PropertyType { Root._elementType }
  public static var _elementIsOptional: Bool { false }
  public static var _elementClass: ObjectBase.Type? { Root.self }

  public static func _element(_ element: _ReadElement, in rows: _CollectionRows) -> Self? {
    Root._element(element, in: rows).map { Self(projecting: $0) }
  }

  public static func _zeroElement() -> Self { Self(projecting: Root._zeroElement()) }

  public func _stored(in rows: _CollectionRows) throws(RealmError) -> _StoredElement {
    try rootObject._stored(in: rows)
  }

  public static func _convertElement(_ value: Any?) throws(RealmError) -> Self? {
    if let projection = value as? Self { return projection }
    return try Root._convertElement(value).map { Self(projecting: $0) }
  }

  public var _dynamicElement: Any? { rootObject }

  public static func _showing(_ object: ObjectBase) -> Self? {
    (object as? Root).map { Self(projecting: $0) }
  }

  public var _shownObject: ObjectBase? { rootObject }

  public static func _countedKeyPaths(_ keyPaths: [String]?) -> [String]? {
    let properties = projectedProperties(of: Self(projecting: Root()))
    guard let keyPaths else { return properties.flatMap(\.keyPaths) }
    let own = ClassInfo.reporting(Root.self)
    return keyPaths.flatMap { keyPath -> [String] in
      // Property names of the object take precedence, as in conditions.
      guard own?.slot(keyPath) == nil else { return [keyPath] }
      return properties.first { $0.name == keyPath }?.keyPaths ?? [keyPath]
    }
  }
}

extension ProjectionObservable {
  public static func _observedNames(of keyPaths: [AnyKeyPath], inCollection: Bool) -> [String]? {
    let keyPaths = keyPaths.compactMap { $0 as? PartialKeyPath<Self> }
    guard let names = projectedNames(of: keyPaths) else { return nil }
    return inCollection
      ? keyPaths.flatMap { projectedProperties(readBy: $0).flatMap(\.keyPaths) } : names
  }

  public func _observation(_ keyPaths: [String]?) throws(RealmError) -> _ObjectObservation {
    let (session, table) = try rootObject.observed()
    let properties = try properties(keyPaths)
    return _ObjectObservation(session: session) { () throws(RealmError) in
      try ObjectSource(
        table, row: self.rootObject._rowID, session.store.tableSet,
        parts: properties.map(\.keyPaths))
    } read: { changed, old, _, other in
      guard let shown = self.rootObject.shown(in: other, insteadOf: session, table) as? Root else {
        return nil
      }
      let before = table.unmanaged(old, other)
      let changes: [PropertyChange] = changed.compactMap { name in
        guard case .number(let number) = name else { return nil }
        let property = properties[number]
        return PropertyChange(
          name: property.name,
          oldValue: property.isOfOwnColumns ? before.flatMap { property.value(of: $0) } : nil,
          newValue: property.value(of: shown))
      }
      return (other === session ? self : Self(projecting: shown), changes)
    }
  }

  /// Returns the projected properties that names mean; all observable ones for nil.
  private func properties(_ keyPaths: [String]?) throws(RealmError) -> [ProjectedProperty] {
    let all = projectedProperties(of: self)
    guard let keyPaths, !keyPaths.isEmpty else { return all.filter { !$0.keyPaths.isEmpty } }
    for keyPath in keyPaths where !all.contains(where: { $0.isMeant(by: keyPath) }) {
      throw RealmError(
        .fail,
        ErrorText.invalidPropertyName(keyPath, "\(type(of: self))", known: all.map(\.name)))
    }
    return all.filter { property in keyPaths.contains { property.isMeant(by: $0) } }
  }
}

/// Returns the names of the projected properties that key paths read. Reports a key path that reads
/// none, and returns nil.
func projectedNames<Observed: ProjectionObservable>(
  of keyPaths: [PartialKeyPath<Observed>]
) -> [String]? {
  var names: [String] = []
  for keyPath in keyPaths {
    let found = projectedProperties(readBy: keyPath).map(\.name)
    guard !found.isEmpty else {
      reportIssue(
        "The key path '\(keyPath)' can't be observed: it reads no '@Projected' property of "
          + "'\(Observed.self)' that is in the file. Observe the properties that it is made of.")
      return nil
    }
    names += found
  }
  return names
}

/// Returns the projected properties that a key path of a projection reads. Properties with the same
/// key path to the object can't be distinguished.
func projectedProperties<Observed: ProjectionObservable>(
  readBy keyPath: PartialKeyPath<Observed>
) -> [ProjectedProperty] {
  let sample = Observed(projecting: Observed.Root())
  let properties = projectedProperties(of: sample)
  // Reading a property that doesn't support an empty object would stop the process.
  guard !keyPath.unwraps, properties.allSatisfy({ !$0.keyPaths.isEmpty }),
    let projection = sample as? Projection<Observed.Root>
  else { return [] }
  let reading = ProjectionReading()
  projection.reading = reading
  _ = sample[keyPath: keyPath]
  projection.reading = nil
  return properties.filter { reading.keyPaths.contains($0.keyPath) }
}

extension ProjectedProperty {
  fileprivate func isMeant(by keyPath: String) -> Bool { name == keyPath || origin == keyPath }
}

extension Table {
  /// Creates an unmanaged object from the values of columns; nil if one of them is invalid.
  fileprivate func unmanaged(_ columns: [StoredValue], _ session: Session) -> ObjectBase? {
    let object = info.type.init()
    do {
      for slot in info.slots.inColumns {
        try object.setValue(value(slot, columns, session), slot: slot, info)
      }
      return object
    } catch {
      // A file may have a value of another type. Then there is no old value to report.
      return nil
    }
  }
}

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
/// A projection holds nothing but its object: it shows what the object shows at each moment,
/// belongs to the same place, and is frozen and referred to as the object is. An observer of a
/// projection, or of results of projections, hears only of what is projected. Conditions and orders
/// of results name the properties of the object.
///
/// A property whose key path reads nothing of the file is a mistake, which is reported through
/// `IssueReporting` when the class is first used; it can be read all the same.
open class Projection<Root: ObjectBase>: RealmCollectionValue, ProjectionObservable {
  public typealias PersistedType = Root

  /// The object that is shown.
  public final let rootObject: Root
  /// What notes each read, of a projection that is made to find out what a key path reads.
  final var reading: ProjectionReading?

  /// Makes a projection of an object, in a realm or not.
  public required init(projecting object: Root) {
    rootObject = object
    // Mistakes of the class are reported now, rather than when it is observed.
    _ = projectedProperties(of: self)
  }

  /// The class, that of its object, and the projected properties with the names of what they show.
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
  /// Whether both show the same object.
  public static func == (first: Projection, second: Projection) -> Bool {
    first.rootObject == second.rootObject
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rootObject) }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
  public var id: UInt64 { rootObject.instanceIdentity }
}

extension Projection: CustomStringConvertible {}

extension Projection: RealmFetchable {}

extension Projection: Observable {}

extension Projection: ThreadConfined {
  /// Whether the object was in a realm, and is there no longer.
  public var isInvalidated: Bool { rootObject.isInvalidated }

  public func _confined() -> _Confined? {
    rootObject._confined()?.map { (object: Root) in Self(projecting: object) }
  }
}

// Elements of results.
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
      // Names of the object come first, as in conditions.
      guard own?.slot(keyPath) == nil else { return [keyPath] }
      return properties.first { $0.name == keyPath }?.keyPaths ?? [keyPath]
    }
  }
}

public import Dispatch
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
  /// Calls a closure after each change of the projected properties.
  ///
  /// A ``PropertyChange`` has the name of a property of the projection and its new value. It has
  /// the old value only if the property depends on the object's own columns alone: not for
  /// collections, and not for values behind a link.
  ///
  /// ```swift
  /// let token = projection.observe { change in
  ///   guard case .change(let person, let properties) = change else { return }
  ///   show(person, properties.map(\.name))
  /// }
  /// ```
  /// A value that is computed from a collection changes with the collection; for `projectTo`,
  /// changes of its objects count as well. See `observe` of collections for where and when the
  /// closure is called.
  /// - Parameters:
  ///   - keyPaths: The names of properties of the projection, or of the properties that they show;
  ///     nil, or an empty array, for all projected properties.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the isolation of this realm.
  ///   - block: The closure.
  /// - Returns: A token. Keep it as long as the closure is to be called. An object that can't be
  ///   observed, or an unknown name, is reported through `IssueReporting`; the token is inactive
  ///   then.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    changes(keyPaths: keyPaths).observe(on: ObservationTarget(queue), block)
  }

  /// Calls a closure after each change of the given properties of the projection.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    guard let names = projectedNames(of: keyPaths) else { return NotificationToken() }
    return changes(keyPaths: names).observe(on: ObservationTarget(queue), block)
  }

  /// Calls a closure on an actor after each change of the projected properties.
  ///
  /// All commits after the method returns are observed. If the task is already canceled, the token
  /// is inactive.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    changes(keyPaths: keyPaths).observe(on: actor, block)
  }

  /// Calls a closure on an actor after each change of the given properties of the projection.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    guard let names = projectedNames(of: keyPaths) else { return NotificationToken() }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }

  /// Returns a sequence of the changes of the projected properties, which ends after `deleted`.
  ///
  /// - Parameter keyPaths: The properties to observe, as for `observe`.
  public func changes(keyPaths: [String]? = nil) -> ChangeSequence<ObjectChange<Self>> {
    ChangeSequence { () throws(RealmError) in
      guard let object = self.rootObject.observed() else {
        throw RealmError(.fail, ErrorText.unmanagedObjectNotifications)
      }
      let observed = try ProjectionSource(self, object, keyPaths)
      return ObservationStart(
        session: object.session, source: { () throws(RealmError) in try observed.source() },
        hasInitial: false, translate: observed.translate)
    }
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

/// The managed projection that an observation is created for.
private struct ProjectionSource<Observed: ProjectionObservable> {
  let projection: Observed
  let object: ObservedInstance<Observed.Root>
  let properties: [ProjectedProperty]

  init(
    _ projection: Observed, _ object: ObservedInstance<Observed.Root>, _ keyPaths: [String]?
  ) throws(RealmError) {
    self.projection = projection
    self.object = object
    let all = projectedProperties(of: projection)
    guard let keyPaths, !keyPaths.isEmpty else {
      properties = all.filter { !$0.keyPaths.isEmpty }
      return
    }
    for keyPath in keyPaths where !all.contains(where: { $0.isMeant(by: keyPath) }) {
      throw RealmError(
        .fail,
        ErrorText.invalidPropertyName(
          keyPath, "\(type(of: projection))", known: all.map(\.name)))
    }
    properties = all.filter { property in keyPaths.contains { property.isMeant(by: $0) } }
  }

  func source() throws(RealmError) -> any ObservationSource {
    try ObjectSource(
      object.table, row: object.object._rowID, object.session.store.tableSet,
      parts: properties.map(\.keyPaths))
  }

  func translate(_ change: SourceChange, _ session: Session) -> ObjectChange<Observed>? {
    switch change {
    case .properties(let changed, let old, _):
      guard let shown = object.shown(in: session) else { return .deleted }
      let before = object.table.unmanaged(old, session) as? Observed.Root
      let changes: [PropertyChange] = changed.compactMap { name in
        guard case .number(let number) = name else { return nil }
        let property = properties[number]
        return PropertyChange(
          name: property.name,
          oldValue: property.isOfOwnColumns ? before.flatMap { property.value(of: $0) } : nil,
          newValue: property.value(of: shown))
      }
      let isOwn = session === object.session
      return .change(isOwn ? projection : Observed(projecting: shown), changes)
    case .deleted: return .deleted
    case .failed(let error): return .error(error)
    case .initial, .elements, .entries, .touched: return nil
    }
  }
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

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

extension ProjectionObservable {
  /// Calls a closure after each change of what the projection shows.
  ///
  /// A ``PropertyChange`` has the name of a property of the projection, its new value, and its old
  /// one where the object's own columns decide it: not for collections, and for what is behind a
  /// link.
  ///
  /// ```swift
  /// let token = projection.observe { change in
  ///   guard case .change(let person, let properties) = change else { return }
  ///   show(person, properties.map(\.name))
  /// }
  /// ```
  /// What is computed of a collection changes when the collection does; `projectTo` also counts
  /// changes of its objects. Where the closure is called, and when: see `observe` of collections.
  /// - Parameters:
  ///   - keyPaths: What counts: names of properties of the projection, or of what they show; nil,
  ///     or none, for all that is projected.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the place of this realm.
  ///   - block: The closure.
  /// - Returns: A token, which must be kept as long as the closure is to be called. What can't be
  ///   observed, and a name that is none, is reported through `IssueReporting`, and the token is
  ///   inactive.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, ObservationTarget(queue), block)
  }

  /// Calls a closure after each change of some properties of the projection.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    guard let names = projectedNames(of: keyPaths) else { return NotificationToken() }
    return observe(names, ObservationTarget(queue), block)
  }

  /// Calls a closure on an actor after each change of what the projection shows.
  ///
  /// When the method returns, each later commit is noticed. For a task that was cancelled the token
  /// is inactive.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    guard !Task.isCancelled else { return NotificationToken() }
    let call = ActorCall(actor, block)
    return observe(keyPaths, .actor(actor)) { call($0) }
  }

  /// Calls a closure on an actor after each change of some properties of the projection.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    guard let names = projectedNames(of: keyPaths) else { return NotificationToken() }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }

  /// What changes of what the projection shows, for a loop, which ends after `deleted`.
  ///
  /// - Parameter keyPaths: What counts, as for `observe`.
  public func changes(keyPaths: [String]? = nil) -> ChangeSequence<ObjectChange<Self>> {
    ChangeSequence {
      guard let object = self.rootObject.observed() else {
        throw RealmError(.fail, ErrorText.unmanagedObjectNotifications)
      }
      let observed = try ProjectionSource(self, object, keyPaths)
      return SequenceStart(
        session: object.session, source: try observed.source(), hasInitial: false
      ) { change, session in
        if case .failed(let error) = change { throw error }
        return observed.translate(change, session)
      }
    }
  }

  private func observe(
    _ keyPaths: [String]?, _ target: ObservationTarget,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    guard let object = rootObject.observed() else {
      reportIssue("\(ErrorText.unmanagedObjectNotifications)")
      return NotificationToken()
    }
    do throws(RealmError) {
      let observed = try ProjectionSource(self, object, keyPaths)
      return object.session.observe(target, hasInitial: false) { () throws(RealmError) in
        try observed.source()
      } _: { change, session in
        if let change = observed.translate(change, session) { block(change) }
      }
    } catch {
      reportIssue("\(error.message)")
      return NotificationToken()
    }
  }
}

/// The names of the projected properties that key paths read; nil, and reported, where one reads
/// none.
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

/// The projected properties that a key path of a projection reads; properties with one and the same
/// key path to the object can't be told apart.
func projectedProperties<Observed: ProjectionObservable>(
  readBy keyPath: PartialKeyPath<Observed>
) -> [ProjectedProperty] {
  let sample = Observed(projecting: Observed.Root())
  let properties = projectedProperties(of: sample)
  // A property that can't be read of an empty object would end the process.
  guard !keyPath.unwraps, properties.allSatisfy({ !$0.keyPaths.isEmpty }),
    let projection = sample as? Projection<Observed.Root>
  else { return [] }
  let reading = ProjectionReading()
  projection.reading = reading
  _ = sample[keyPath: keyPath]
  projection.reading = nil
  return properties.filter { reading.keyPaths.contains($0.keyPath) }
}

/// A projection of an object in a file, as an observation of it needs it.
private struct ProjectionSource<Observed: ProjectionObservable> {
  let projection: Observed
  let object: ObservedInstance<Observed.Root>
  let properties: [ProjectedProperty]

  /// - Throws: ``RealmError`` with code `fail` for a name that is none.
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

  /// Makes what the user hears of what was found.
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
  /// An object in no realm with the values of some columns; nil where one of them doesn't fit.
  fileprivate func unmanaged(_ columns: [StoredValue], _ session: Session) -> ObjectBase? {
    let object = info.type.init()
    do {
      for slot in info.slots.inColumns {
        try object.setValue(value(slot, columns, session), slot: slot, info)
      }
      return object
    } catch {
      // A file may hold a value of another type: then there is no old value to tell.
      return nil
    }
  }
}

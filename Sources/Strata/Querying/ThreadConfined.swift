/// A value that belongs to a realm and to its isolation: an object, a collection or results.
///
/// A frozen value can be read on any thread. A `ThreadSafeReference` passes a value to another
/// isolation.
public protocol ThreadConfined {
  /// Whether the value was managed by a realm, and isn't any more.
  var isInvalidated: Bool { get }

  /// Returns the description with which other sessions show the value; nil for an unmanaged value.
  func _confined() -> _Confined?
}

/// A managed value's session, and the description with which other sessions of the file show it.
public struct _Confined {
  let session: Session
  let description: _Description
}

/// A description of a managed value that is independent of the session.
///
/// The description is `Sendable`: it retains no session and is immutable.
struct _Description: @unchecked Sendable {
  // guarded by: nothing; both are immutable, and the closure keeps no session.

  /// The object, or the owner of a collection; nil for a query.
  let owner: (table: Table, row: Int64)?
  /// Returns the same value in a session of the file; nil if it was deleted there.
  let shown: (Session) -> Any?
}

extension _Confined {
  init(
    _ session: Session, owner: (table: Table, row: Int64)? = nil,
    _ shown: @escaping (Session) -> Any?
  ) {
    self.session = session
    description = _Description(owner: owner, shown: shown)
  }

  /// Returns the description of a value that is derived from this one.
  func map<Whole, Part>(_ make: @escaping (Whole) -> Part) -> _Confined {
    let shown = description.shown
    return _Confined(session, owner: description.owner) { session in
      (shown(session) as? Whole).map(make)
    }
  }
}

extension ObjectBase: ThreadConfined {
  public func _confined() -> _Confined? {
    guard let session = managedContext as? Session,
      let table = session.store.table(type(of: self))
    else { return nil }
    let row = _rowID
    return _Confined(session, owner: (table, row)) { $0.objectIfReadable(row: row, in: table) }
  }
}

extension _CollectionRows {
  /// Returns the description of a managed collection; nil for one in memory or in a migration.
  func confined<Collection>(_ make: @escaping (_CollectionRows) -> Collection) -> _Confined? {
    if let nested = self as? NestedRows { return nested.confinedInPlace(make) }
    guard let rows = self as? SessionCollection else { return nil }
    let (owner, info, row) = (rows.ownerTable, rows.table.info, rows.table.owner)
    return _Confined(rows.session, owner: (owner, row)) { session in
      let rows = SessionCollection(session, owner, info, owner: row)
      return rows.isInvalidated ? nil : make(rows)
    }
  }
}

extension NestedRows {
  /// Returns the description of a list or a dictionary in an `AnyRealmValue`, by its path in the
  /// value.
  fileprivate func confinedInPlace<Collection>(
    _ make: @escaping (_CollectionRows) -> Collection
  ) -> _Confined? {
    let (kind, path) = (node.kind, node.path)
    func part(_ value: AnyRealmValue?) -> Collection? {
      guard let rows = value?.nestedRows as? NestedRows,
        let node = rows.node.node(at: path), node.kind == kind
      else { return nil }
      return make(NestedRows(rows.holder, node))
    }
    guard !isInvalidated else { return nil }
    let whole: _Confined?
    let read: (Any) -> AnyRealmValue?
    switch holder {
    case let holder as PropertyHolder:
      let slot = holder.slot
      whole = holder.owner._confined()
      read = { object in
        guard let object = object as? ObjectBase, let info = ClassInfo.reporting(type(of: object))
        else { return nil }
        return AnyRealmValue.converting(object[info.properties[slot].name])
      }
    case let holder as ElementHolder:
      let slot = holder.slot
      whole = holder.collection.confined { $0 }
      read = { rows in
        guard let rows = rows as? _CollectionRows else { return nil }
        let element =
          switch slot {
          case .position(let index): rows.element(at: index)
          case .key(let key): rows.element(forKey: key.text)
          }
        return element.flatMap { AnyRealmValue._element($0, in: rows) }
      }
    default: return nil
    }
    guard let whole else { return nil }
    let shown = whole.description.shown
    return _Confined(whole.session, owner: whole.description.owner) { session in
      shown(session).flatMap { part(read($0)) }
    }
  }
}

extension LinkingObjects {
  public func _confined() -> _Confined? {
    let name = originProperty
    return results?._confined()?.map { LinkingObjects(originProperty: name, results: $0) }
  }
}

extension Results {
  public func _confined() -> _Confined? {
    switch source {
    case .objects(let objects):
      let query = objects.query
      return _Confined(objects.session) { Results(query, $0) }
    case .values(let values):
      let shown = values.shown
      return values.rows?.confined { Results(shown($0)) }
    }
  }
}

/// An object, or a projection of one.
public protocol _ObjectShowing: RealmCollectionValue, ThreadConfined {
  /// Returns the name of the object's property that a key path reads.
  ///
  /// - Throws: An error with code `fail` if the key path reads no property, or several.
  static func _propertyName(readBy keyPath: AnyKeyPath) throws(RealmError) -> String

  /// Returns the names of the properties that key paths read. Reports a key path that reads none,
  /// and returns nil.
  ///
  /// - Parameter inCollection: Whether the names of a projection's properties are replaced by those
  ///   of the object.
  static func _observedNames(of keyPaths: [AnyKeyPath], inCollection: Bool) -> [String]?

  /// Returns the inputs of an observation.
  ///
  /// - Throws: An error with code `fail` for what can't be observed.
  func _observation(_ keyPaths: [String]?) throws(RealmError) -> _ObjectObservation
}

extension ObjectBase: _ObjectShowing {
  public static func _propertyName(readBy keyPath: AnyKeyPath) throws(RealmError) -> String {
    guard let known = keyPath as? PartialKeyPath<Self>, let path = readPath(of: known) else {
      let value = "\(type(of: keyPath).valueType)"
      throw RealmError(.fail, ErrorText.computedKeyPath(className(), value))
    }
    return path.text
  }
}

/// A type that `realm.objects(_:)` returns: model classes, and projections of them.
///
/// ```swift
/// func all<Found: RealmFetchable>(_ type: Found.Type) throws -> Results<Found> {
///   try Realm().objects(type)
/// }
/// ```
public protocol RealmFetchable: _ObjectShowing {}

extension Object: RealmFetchable {}

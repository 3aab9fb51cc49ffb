import StrataStorage

/// The three kinds of collections, as types of properties.
public protocol _CollectionType: AnyObject, Persistable {
  init()
}

protocol CollectionProperty: PersistedCollection, _CollectionType {
  /// The type of the elements, or of a map's values.
  associatedtype _Value: RealmCollectionValue

  /// Replaces the elements by the elements of another collection, which stays unchanged.
  func replaceElements(by other: Self)
}

extension CollectionProperty {
  public static var _propertyType: PropertyType { _Value._elementType }
  public static var _objectType: ObjectBase.Type? { _Value._elementClass }
  public static var _isOptional: Bool { _Value._elementIsOptional }

  public static func _accessor(offset: Int) -> _PropertyAccessor {
    _Value._checkElement()
    func wrapper(_ base: _PropertyAccessor.Base) -> UnsafeMutablePointer<Persisted<Self>> {
      (base + offset).assumingMemoryBound(to: Persisted<Self>.self)
    }
    func current(_ base: _PropertyAccessor.Base) -> Self {
      managed(wrapper(base).pointee.value, of: object(at: base), wrapper(base).pointee.slot)
    }
    var accessor = _PropertyAccessor(
      columns: 0,
      dynamic: { current($0) },
      convert: { base, value throws(RealmError) in
        let collection = current(base)
        if let own = collection.rows, let new = instance(of: Self.self, value)?.rows,
          new.isSame(as: own)
        {
          return true
        }
        return try collection.assign(value)
      },
      stored: { _ in .null },
      read: { _, _, _ in true },
      bind: { _, _, _ in true },
      slotOffset: _PropertyAccessor.slotOffset(of: Self.self, offset))
    accessor.renew = { wrapper($0).pointee.value = Self() }
    accessor.collection = { base in
      let collection = wrapper(base).pointee.value
      guard let rows = collection.rows else { return collection }
      // The collection of another object may have been assigned to this object before it was added.
      let owner = object(at: base)
      let own = owner.managedContext?.rows(of: owner, wrapper(base).pointee.slot)
      if own?.isSame(as: rows) == true { return collection }
      let copy = collection.copy()
      if let copy = copy as? Self { wrapper(base).pointee.value = copy }
      return copy
    }
    return accessor
  }

  /// The collection of a managed object, connected to its rows at first use.
  static func managed(_ collection: Self, of owner: ObjectBase, _ slot: _PropertySlot) -> Self {
    if collection.rows == nil, let context = owner.managedContext(slot) {
      collection.rows = context.rows(of: owner, slot)
    }
    return collection
  }

  /// Replaces the elements of a managed object's collection; false for a collection in memory.
  public static func _set(_ value: Self, of owner: ObjectBase, _ slot: _PropertySlot) -> Bool {
    guard let context = owner.managedContext, let rows = context.rows(of: owner, slot) else {
      return false
    }
    guard value.rows?.isSame(as: rows) != true else { return true }
    do {
      let target = Self()
      target.rows = rows
      _ = try target.assign(value)
    } catch {
      context.record(error)
    }
    return true
  }

  /// Replaces the stored elements; false if a new element doesn't fit.
  ///
  /// All new elements are converted before the first old one is removed: the new value may be a
  /// nested collection of the old one, which becomes empty when it is removed.
  static func replaceElements(
    in rows: _CollectionRows, by value: Any?
  ) throws(RealmError) -> Bool {
    guard rows.canWrite() else { return true }
    guard let new = try stored(value, in: rows) else { return false }
    rows.removeAll()
    if let kind = _collection { rows.add(new, to: kind) }
    return true
  }

  /// The collection of an unmanaged object, with the elements of another one that was assigned.
  public static func _held(_ value: Self, insteadOf stored: @autoclosure () -> Self) -> Self {
    let stored = stored()
    guard value !== stored else { return stored }
    // An initializer may have been given the collection of a managed object.
    let own = stored.rows == nil ? stored : Self()
    own.replaceElements(by: value)
    return own
  }
}

extension CollectionProperty {
  /// Creates the collection of a managed object.
  init(_ rows: _CollectionRows) {
    self.init()
    self.rows = rows
  }

  /// Whether both are the same collection of the same object, or in memory with the same elements.
  static func areSame(
    _ first: Self, _ second: Self, _ haveSameElements: () -> Bool
  ) -> Bool {
    if first === second { return true }
    guard let rows = first.rows else { return second.rows == nil && haveSameElements() }
    return second.rows.map { rows.isSame(as: $0) } ?? false
  }

  /// Hashes the identity of the rows. Collections in memory all have the same hash, because changes
  /// of their elements change what they are equal to.
  public func hash(into hasher: inout Hasher) {
    if let rows { hasher.combine(rows.identity) }
  }
}

extension CollectionProperty where Self: Sequence, Element: RealmCollectionValue {
  func stored(in rows: _CollectionRows) throws(RealmError) -> [(key: String, _StoredElement)] {
    try checkNotInvalidated()
    var stored: [(key: String, _StoredElement)] = []
    for element in self { stored.append(("", try element._stored(in: rows))) }
    return stored
  }

  static func stored(
    _ value: Any?, in rows: _CollectionRows
  ) throws(RealmError) -> [(key: String, _StoredElement)]? {
    if let collection = instance(of: Self.self, value) { return try collection.stored(in: rows) }
    guard let elements = try List<Element>.elements(of: value) else { return nil }
    var stored: [(key: String, _StoredElement)] = []
    for element in elements { stored.append(("", try element._stored(in: rows))) }
    return stored
  }
}

extension PersistedCollection {
  /// - Throws: ``RealmError`` with code `fail` for the collection of a deleted object, and for a
  ///   collection that was removed from an `AnyRealmValue`. Their elements are lost, so a copy
  ///   would be empty by mistake.
  func checkNotInvalidated() throws(RealmError) {
    guard let rows, rows.isInvalidated else { return }
    throw RealmError(.fail, "\(ErrorText.deleted) ('\(type(of: self))')")
  }
}

extension _CollectionRows {
  /// Adds elements to an empty collection.
  func add(_ elements: [(key: String, _StoredElement)], to kind: CollectionKind) {
    switch kind {
    case .list: if !elements.isEmpty { insert(elements.map(\.1), at: 0) }
    case .set: for (_, element) in elements { _ = insert(element) }
    case .map: for (key, element) in elements { set(element, forKey: key) }
    }
  }
}

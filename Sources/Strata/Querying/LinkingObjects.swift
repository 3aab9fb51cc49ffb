import IssueReporting
import StrataStorage

/// The objects that link to an object through one of their properties.
///
/// ```swift
/// class Dog: Object {
///   @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// ```
///
/// Linking objects are not stored: they are the links of the other class, followed backwards. They
/// are live like ``Results``, and empty for an unmanaged object. An object that links several
/// times, from a list, occurs several times.
public struct LinkingObjects<Element: ObjectBase> {
  let originProperty: String
  /// The linking objects; nil for an unmanaged object.
  let results: Results<Element>?

  init(originProperty: String, results: Results<Element>? = nil) {
    self.originProperty = originProperty
    self.results = results
  }

  /// The number of links.
  public var count: Int { results?.count ?? 0 }

  /// Whether no object links to this one.
  public var isEmpty: Bool { results?.isEmpty ?? true }

  /// The first of the objects, or nil.
  public var first: Element? { results?.first }

  /// The last of the objects, or nil.
  public var last: Element? { results?.last }

  /// Returns the position of an object, or nil.
  public func index(of object: Element) -> Int? { results?.index(of: object) }
}

extension LinkingObjects: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  /// Returns the object at a position. A position out of range stops the process.
  public subscript(position: Int) -> Element {
    guard let results else {
      stopForProgrammerError(
        "Index \(position) is out of bounds (must be less than 0). ('LinkingObjects<"
          + "\(Element.shownName)>')")
    }
    return results[position]
  }

  public func makeIterator() -> AnyIterator<Element> {
    results.map { AnyIterator($0.makeIterator()) } ?? AnyIterator { nil }
  }
}

extension LinkingObjects: Persistable {
  public static var _propertyType: PropertyType { .linkingObjects }
  public static var _objectType: ObjectBase.Type? { Element.self }
  public static var _isOptional: Bool { false }
  public static func _zero() -> LinkingObjects { LinkingObjects(originProperty: "") }

  public static func _accessor(offset: Int) -> _PropertyAccessor {
    func wrapper(_ base: _PropertyAccessor.Base) -> UnsafeMutablePointer<Persisted<Self>> {
      (base + offset).assumingMemoryBound(to: Persisted<Self>.self)
    }
    var accessor = _PropertyAccessor(
      columns: 0,
      dynamic: { base in
        _managed(wrapper(base).pointee.value, of: object(at: base), wrapper(base).pointee.slot)
      },
      convert: { _, _ throws(RealmError) in false },
      stored: { _ in .null },
      read: { _, _, _ in true },
      bind: { _, _, _ in true },
      slotOffset: _PropertyAccessor.slotOffset(of: Self.self, offset))
    accessor.originProperty = { wrapper($0).pointee.value.originProperty }
    return accessor
  }

  public static func _managed(
    _ stored: LinkingObjects, of owner: ObjectBase, _ slot: _PropertySlot
  ) -> LinkingObjects {
    if owner._state & ObjectState.recording != 0 {
      return LinkingObjects(
        originProperty: stored.originProperty,
        results: owner._context?.rows(of: owner, slot).map { recorded in
          Results(SortedElements(recorded) { $0.map { Array(List($0)) } ?? [] })
        })
    }
    guard let session = owner.managedContext as? Session,
      let table = session.store.table(Element.self),
      let info = session.store.table(type(of: owner))?.info
    else { return stored }
    // `stored` has no name if the object was read from the file, so the name comes from the
    // object's class.
    let name = info.properties[slot].linkOriginPropertyName ?? stored.originProperty
    guard let query = ObjectQuery(table, linkingThrough: name, to: owner._rowID) else {
      return stored
    }
    return LinkingObjects(
      originProperty: name, results: Results(query, session, generation: owner._generation))
  }

  public static func _set(_ value: LinkingObjects, of owner: ObjectBase, _ slot: _PropertySlot)
    -> Bool
  {
    reportIssue("Linking objects can't be set: change the links that lead to the object.")
    return true
  }
}

extension ObjectQuery {
  /// Creates the query of a table's objects whose link or collection `name` points to a row.
  init?(_ table: Table, linkingThrough name: String, to row: Int64) {
    guard let slot = table.info.slot(name) else { return nil }
    if let collection = table.collections[slot] {
      self.init(table, .containing(collection, row))
    } else if let column = table.column(name) {
      self.init(table, .linking(column: column, to: row))
    } else {
      return nil
    }
  }
}

extension Persisted {
  /// Declares the objects that link to this one through the named property of their class.
  public init<Element>(originProperty: String) where Value == LinkingObjects<Element> {
    self.init(value: LinkingObjects(originProperty: originProperty), attributes: [])
  }
}

extension LinkingObjects: CustomStringConvertible, NestedDescription {
  /// A description of the first hundred objects.
  public var description: String { description(depth: maximumDescriptionDepth) }

  func description(depth: Int) -> String {
    describeElements(
      "LinkingObjects<\(Element.shownName)>", leading(100).map { $0 }, count: count, depth: depth)
  }
}

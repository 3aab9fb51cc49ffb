import StrataStorage

/// The row that a link of an object in a file leads to.
struct LinkRow {
  var slot: _PropertySlot
  /// For an object in an `AnyRealmValue`: its class.
  var className: String?
  var row: Int64
}

extension ObjectBase {
  /// Where a link of this object, which is in a file, leads; nil when it is nil.
  func linkRow(_ slot: _PropertySlot) -> LinkRow? {
    _links.first { $0.slot == slot }
  }

  /// Notes where a link of this object leads.
  func setLinkRow(_ slot: _PropertySlot, className: String? = nil, _ row: Int64?) {
    if row == nil, _links.isEmpty { return }
    if let index = _links.firstIndex(where: { $0.slot == slot }) { _links.remove(at: index) }
    if let row { _links.append(LinkRow(slot: slot, className: className, row: row)) }
  }

  /// Whether its realm was invalidated since it was read.
  var isFromBefore: Bool { _context.map { $0.generation != _generation } ?? false }

  /// The context of an object that is in a file.
  var managedContext: ManagedContext? {
    _state & ObjectState.managed != 0 ? _context : nil
  }

  /// The same, for a property; nil for one that is kept out of the file.
  func managedContext(_ slot: _PropertySlot) -> ManagedContext? {
    slot == .outside ? nil : managedContext
  }
}

/// An optional link: `@Persisted var dog: Dog?`.
extension ObjectBase: _OptionalPersistable {
  public static var _propertyType: PropertyType { .object }
  public static var _objectType: ObjectBase.Type? { self }

  /// The object at the other end. Of an object in a file a new instance each time: instances that
  /// kept each other would never go, and a long chain of them would end the process when it did.
  public static func _managedOptional(
    _ stored: ObjectBase?, of owner: ObjectBase, _ slot: _PropertySlot
  ) -> Self? {
    guard let context = owner.managedContext(slot) else {
      return stored as? Self
    }
    guard let link = owner.linkRow(slot) else { return nil }
    return context.linkedObject(self, row: link.row) as? Self
  }

  public static func _setOptional(
    _ value: ObjectBase?, of owner: ObjectBase, _ slot: _PropertySlot
  ) -> Bool {
    guard let context = owner.managedContext else { return false }
    context.setLink(slot, of: owner, to: value)
    return true
  }
}

extension ObjectBase {
  /// An object of this class: the given one, or a new one of a dictionary or an array; nil when the
  /// value is neither.
  static func converting(_ value: Any) throws(RealmError) -> ObjectBase? {
    if let object = value as? ObjectBase { return type(of: object) == self ? object : nil }
    guard value is [String: Any?] || value is [Any?] else { return nil }
    let object = self.init()
    try object.setValues(value)
    return object
  }
}

/// Stands in an `AnyRealmValue` for an object that a migration block sees, which is of no model
/// class.
final class LinkInMigration: Object {
  private(set) var target: AnyObject?

  convenience init(_ target: AnyObject) {
    self.init()
    self.target = target
  }
}

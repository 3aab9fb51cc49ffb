import StrataStorage

/// The row to which a link of a managed object leads.
struct LinkRow {
  var slot: _PropertySlot
  /// The class of the target, for an object in an `AnyRealmValue`.
  var className: String?
  var row: Int64
}

extension ObjectBase {
  /// The target row of a link of this managed object; nil for a link that is nil.
  func linkRow(_ slot: _PropertySlot) -> LinkRow? {
    _links.first { $0.slot == slot }
  }

  func setLinkRow(_ slot: _PropertySlot, className: String? = nil, _ row: Int64?) {
    if row == nil, _links.isEmpty { return }
    if let index = _links.firstIndex(where: { $0.slot == slot }) { _links.remove(at: index) }
    if let row { _links.append(LinkRow(slot: slot, className: className, row: row)) }
  }

  /// Whether the realm was invalidated after this object was read.
  var isFromBefore: Bool { _context.map { $0.generation != _generation } ?? false }

  var managedContext: ManagedContext? {
    _state & ObjectState.managed != 0 ? _context : nil
  }

  /// The context of a managed object's property; nil for a property that isn't in the file.
  func managedContext(_ slot: _PropertySlot) -> ManagedContext? {
    slot == .outside ? nil : managedContext
  }
}

/// An optional link: `@Persisted var dog: Dog?`.
extension ObjectBase: _OptionalPersistable {
  public static var _propertyType: PropertyType { .object }
  public static var _objectType: ObjectBase.Type? { self }

  /// The target of the link. A managed object returns a new instance each time: instances that keep
  /// each other would never be released, and releasing a long chain would overflow the stack.
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
  /// Converts a value to an object of this class: the object itself, or a new one from a dictionary
  /// or an array. Nil for other values.
  static func converting(_ value: Any) throws(RealmError) -> ObjectBase? {
    if let object = instance(of: ObjectBase.self, value) {
      return type(of: object) == self ? object : nil
    }
    guard value is [String: Any?] || value is [Any?] else { return nil }
    let object = self.init()
    try object.setValues(value)
    return object
  }
}

/// A stand-in in an `AnyRealmValue` for an object in a migration block, which is of no model class.
final class LinkInMigration: Object {
  private(set) var target: AnyObject?

  convenience init(_ target: AnyObject) {
    self.init()
    self.target = target
  }
}

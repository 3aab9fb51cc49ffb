import StrataSchema

/// The base class of models. Each subclass becomes a table of the same name.
///
/// ```swift
/// class Person: Object {
///   @Persisted(primaryKey: true) var id: UUID
///   @Persisted var name = ""
///   @Persisted var email: String?
/// }
/// let ada = Person(value: ["name": "Ada"])
/// try realm.write { realm.add(ada) }
/// ```
///
/// A model needs nothing but its class: no registration, no macro. Objects and their realm belong
/// to one thread or task at a time; each thread opens its own `Realm`.
open class Object: ObjectBase {
}

extension ObjectBase: Hashable {
  /// Whether both are the same instance, or show the same row of the same file. Frozen objects are
  /// equal to those of the same version only.
  public static func == (lhs: ObjectBase, rhs: ObjectBase) -> Bool {
    if lhs === rhs { return true }
    guard let context = lhs._context, let other = rhs._context,
      lhs._state & ObjectState.managed != 0, rhs._state & ObjectState.managed != 0
    else { return false }
    return lhs._rowID == rhs._rowID && type(of: lhs) == type(of: rhs)
      && context.sharesFile(with: other)
  }

  /// Equal objects have equal hashes.
  ///
  /// That of an object with a primary key is the hash of its key, before it is added to a realm and
  /// afterwards: don't change the key of one that is in a `Set` or a `Dictionary`. Adding an object
  /// without one changes its hash. A deleted object keeps its hash.
  public func hash(into hasher: inout Hasher) {
    if let key = hashedKey {
      hasher.combine(key)
    } else if _state & ObjectState.ofRow != 0 {
      hasher.combine(_rowID)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
  }

  /// The primary key; nil where there is none, and in a migration, where it may change.
  private var hashedKey: StoredValue? {
    if _state & ObjectState.managed != 0, _context?.file == nil { return nil }
    guard let info = ClassInfo.known(type(of: self)), let slot = info.primaryKeySlot else {
      return nil
    }
    return withExtendedLifetime(self) {
      info.accessors[slot].stored(Unmanaged.passUnretained(self).toOpaque())?.value
    }
  }
}

extension ObjectBase {
  /// Whether both show the same row of the same file. Unmanaged objects are the same as themselves
  /// only.
  public func isSameObject(as object: ObjectBase?) -> Bool {
    object.map { $0 == self } ?? false
  }

  /// Whether the object was in a file and is there no longer; its properties can't be used then.
  public var isInvalidated: Bool {
    if _state & ObjectState.managed != 0, let context = _context {
      return !context.isPresent(self)
    }
    return _state & (ObjectState.deleted | ObjectState.vanished) != 0
  }
}

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

/// The base class of models whose objects are part of another object.
///
/// An embedded object has exactly one parent: it is added to a realm when it is assigned to a
/// property of its parent or added to one of its lists or maps, and deleted when it is replaced or
/// removed, or when its parent is deleted.
///
/// ```swift
/// class Address: EmbeddedObject { @Persisted var city = "" }
/// class Person: Object {
///   @Persisted var address: Address?
///   @Persisted var formerAddresses: List<Address>
/// }
/// ```
open class EmbeddedObject: ObjectBase {
}

/// A model with an identity that views can tell its objects apart by.
///
/// ```swift
/// class Dog: Object, ObjectKeyIdentifiable { @Persisted var name = "" }
/// ```
///
/// A class with a property `id` of its own is identified by that. A projection may conform as well:
/// it has the identity of its object.
public protocol ObjectKeyIdentifiable: Identifiable {
  /// The same for all instances of an object in a realm, as long as it is there.
  var id: UInt64 { get }
}

extension ObjectKeyIdentifiable where Self: ObjectBase {
  public var id: UInt64 { instanceIdentity }
}

extension ObjectBase {
  /// The same for all instances of an object in a realm, and of one that is in none for itself.
  var instanceIdentity: UInt64 {
    guard managedContext != nil else { return UInt64(UInt(bitPattern: ObjectIdentifier(self))) }
    return UInt64(bitPattern: _rowID)
  }
}

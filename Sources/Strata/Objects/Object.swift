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
  /// Whether both are the same instance, or show the same row of the same file. Frozen objects
  /// equal only objects of the same version.
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
  /// The hash of an object with a primary key is the hash of its key, before and after the object
  /// is added to a realm: don't change the key of an object in a `Set` or a `Dictionary`. Adding an
  /// object without a primary key changes its hash. A deleted object keeps its hash.
  public func hash(into hasher: inout Hasher) {
    if let key = hashedKey {
      hasher.combine(key)
    } else if _state & ObjectState.ofRow != 0 {
      hasher.combine(_rowID)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
  }

  /// The primary key; nil without one, and in a migration, where it may change.
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
  /// Whether both show the same row of the same file. An unmanaged object is only the same as
  /// itself.
  public func isSameObject(as object: ObjectBase?) -> Bool {
    object.map { $0 == self } ?? false
  }

  /// Whether the object was deleted from its file. Its properties can't be used then.
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

/// A model with an identity by which views distinguish its objects.
///
/// ```swift
/// class Dog: Object, ObjectKeyIdentifiable { @Persisted var name = "" }
/// ```
///
/// A class with its own property `id` is identified by that property. A projection may conform as
/// well: it has the identity of its object.
public protocol ObjectKeyIdentifiable: Identifiable {
  /// The same for all instances of a managed object, as long as the object exists.
  var id: UInt64 { get }
}

extension ObjectKeyIdentifiable where Self: ObjectBase {
  public var id: UInt64 { instanceIdentity }
}

extension ObjectBase {
  /// The same for all instances of a managed object; unique for each unmanaged instance.
  var instanceIdentity: UInt64 {
    guard managedContext != nil else { return UInt64(UInt(bitPattern: ObjectIdentifier(self))) }
    return UInt64(bitPattern: _rowID)
  }
}

import CStrataRuntime
import StrataStorage
import Synchronization

extension ClassInfo {
  /// The classes with a property, or elements, of a type that has no initial value.
  static let failures = Mutex<[ObjectIdentifier: RealmError]>([:])

  /// Whether a class can't be used because a type of its properties has no initial value.
  static func lacksValues(_ type: ObjectBase.Type) -> Bool {
    failures.withLock { $0[ObjectIdentifier(type)] != nil }
  }

  /// - Throws: ``RealmError`` with code `fail` for such a class. The process must not stop, and the
  ///   program's other classes must stay usable.
  static func checkZeros(of type: ObjectBase.Type) throws(RealmError) {
    strata_begin_trying()
    let object = type.init()
    guard let missing = strata_end_trying() else { return }
    // The object contains bytes that are no valid value, so it must never be deinitialized.
    _ = Unmanaged.passRetained(object)
    throw failure(of: type, missing)
  }

  /// The accessor of a property.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a collection whose elements have no zero.
  static func accessor(
    _ value: any Persistable.Type, offset: Int, of type: ObjectBase.Type
  ) throws(RealmError) -> _PropertyAccessor {
    strata_begin_trying()
    let accessor = value._accessor(offset: offset)
    guard let missing = strata_end_trying() else { return accessor }
    throw failure(of: type, missing)
  }

  private static func failure(
    of type: ObjectBase.Type, _ missing: UnsafeRawPointer
  ) -> RealmError {
    let custom = unsafeBitCast(missing, to: Any.Type.self) as? any _CustomPersistable.Type
    let error = RealmError(
      .fail, "Type '\(type.className())' can't be used: \(custom?.missingZero ?? "\(missing)")")
    failures.withLock { $0[ObjectIdentifier(type)] = error }
    return error
  }
}

import Strata

/// Each kind of property of one type.
final class OfEdges<T: Edged>: Object {
  @Persisted var number = 0
  @Persisted var plain: T
  @Persisted var optional: T?
  @Persisted var list: List<T>
  @Persisted var optionals: List<T?>
  @Persisted var set: MutableSet<T>
  @Persisted var map: Map<String, T>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var anyMap: Map<String, AnyRealmValue>

  override class func className() -> String { "Edge" }
}

/// The same after a migration that rebuilds the table.
final class OfEdgesNext<T: Edged>: Object {
  @Persisted var number = ""
  @Persisted var plain: T
  @Persisted var optional: T?
  @Persisted var list: List<T>
  @Persisted var optionals: List<T?>
  @Persisted var set: MutableSet<T>
  @Persisted var map: Map<String, T>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var anyMap: Map<String, AnyRealmValue>
  @Persisted var copied: T?
  @Persisted var typed: T?
  @Persisted var copiedAny: AnyRealmValue
  @Persisted var copiedList: List<T>

  override class func className() -> String { "Edge" }
}

final class KeyOfEdges<T: Edged>: Object {
  @Persisted var key: T
  @Persisted var number = 0

  override class func className() -> String { "EdgeKey" }
  override class func primaryKey() -> String? { "key" }
}

/// A type that `realm.objects(_:)` gives: model classes, and projections of them.
///
/// ```swift
/// func all<Found: RealmFetchable>(_ type: Found.Type) throws -> Results<Found> {
///   try Realm().objects(type)
/// }
/// ```
public protocol RealmFetchable: RealmCollectionValue {}

extension Object: RealmFetchable {}

/// The name that RealmSwift had for ``PersistableEnum`` before `@Persisted`.
public typealias RealmEnum = PersistableEnum

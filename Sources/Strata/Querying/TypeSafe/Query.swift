/// A property, a value or a condition in the closure of `where`.
///
/// The closure runs once, to say what is asked for; the database finds the objects. A property of
/// the objects is named as in Swift, through links and collections too; compared by operators and
/// by methods it becomes a condition.
///
/// ```swift
/// realm.objects(Person.self).where {
///   ($0.age > 3 || $0.dog.name == "Rex") && !$0.isDone
/// }
/// ```
///
/// A path through a collection is true for any of its elements: `$0.dogs.age > 3` means a dog that
/// is older. `!` before it means none; `&&` between two of them may mean two dogs. For one and the
/// same dog, count those: `($0.dogs.age > 3 && $0.dogs.name == "Rex").count > 0`.
///
/// A path through a link that is nil has the value nil. Nil equals nil, is unlike all else, and is
/// neither less nor greater.
///
/// A computed property can't be asked for, because the file doesn't have it. That is a mistake, as
/// is a value that doesn't fit: the results find nothing, `write` throws it, anywhere else it is
/// reported through `IssueReporting`.
@dynamicMemberLookup
public struct Query<T> {
  let content: QueryContent

  /// The object or the element that is asked about.
  init() { content = .element }

  init(_ content: QueryContent) { self.content = content }
}

extension Query {
  /// A property of the object.
  ///
  /// A computed property is a mistake: see ``Query``.
  public subscript<Value>(dynamicMember member: KeyPath<T, Value>) -> Query<Value>
  where T: ObjectBase {
    Query<Value>(content.following(member))
  }

  /// A property of the object that the link leads to; nil if it leads nowhere.
  public subscript<Target: ObjectBase, Value>(
    dynamicMember member: KeyPath<Target, Value>
  ) -> Query<Value> where T == Target? {
    Query<Value>(content.following(member))
  }

  /// A property of the objects in the collection: a condition is true if it is so for any of them.
  public subscript<Value>(dynamicMember member: KeyPath<T.Element, Value>) -> Query<Value>
  where T: RealmCollection, T.Element: ObjectBase {
    Query<Value>(content.following(member))
  }

  /// A property of the objects in the map: a condition is true if it is so for any of them.
  public subscript<Key, Target: ObjectBase, Value>(
    dynamicMember member: KeyPath<Target, Value>
  ) -> Query<Value> where T == Map<Key, Target?> {
    Query<Value>(content.following(member))
  }
}

/// The result of `projectTo` of a collection: its members are the properties of the elements, each
/// as a ``ProjectedCollection``.
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase> {
  fileprivate enum Objects {
    case list(List<Element>)
    case set(MutableSet<Element>)
    case linking(LinkingObjects<Element>)
  }

  fileprivate let objects: Objects

  /// The values of a property in the order of the elements.
  public subscript<Value: RealmCollectionValue>(
    dynamicMember member: KeyPath<Element, Value>
  ) -> ProjectedCollection<Value> {
    switch objects {
    case .list(let list): ProjectedCollection(ProjectedObjects(objects: list, keyPath: member))
    case .set(let set): ProjectedCollection(ProjectedObjects(objects: set, keyPath: member))
    case .linking(let objects):
      ProjectedCollection(ProjectedObjects(objects: objects, keyPath: member))
    }
  }
}

extension List where Element: ObjectBase {
  /// The values of a property of the objects: `dogs.projectTo.name`. See ``ProjectedCollection``.
  public var projectTo: CollectionElementMapper<Element> {
    CollectionElementMapper(objects: .list(self))
  }
}

extension MutableSet where Element: ObjectBase {
  /// The values of a property of the objects: `dogs.projectTo.name`. See ``ProjectedCollection``.
  ///
  /// They are no set: equal values occur as often as objects have them.
  public var projectTo: CollectionElementMapper<Element> {
    CollectionElementMapper(objects: .set(self))
  }
}

extension LinkingObjects {
  /// The values of a property of the objects: `owners.projectTo.name`. See ``ProjectedCollection``.
  public var projectTo: CollectionElementMapper<Element> {
    CollectionElementMapper(objects: .linking(self))
  }
}

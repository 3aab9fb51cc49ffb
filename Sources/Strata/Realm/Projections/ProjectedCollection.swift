public import Foundation
import IssueReporting
import StrataStorage

/// The values of a property of a collection's objects, in the order of the collection.
///
/// ```swift
/// class PersonProjection: Projection<Person> {
///   @Projected(\Person.friends.projectTo.firstName) var friendsNames: ProjectedCollection<String>
/// }
/// ```
/// A projected collection is live like the collection, and reads its values from there without
/// copying. Equal values occur once per object, also for a set.
public struct ProjectedCollection<Element: RealmCollectionValue> {
  let source: any ProjectedSource<Element>

  init(_ source: some ProjectedSource<Element>) {
    self.source = source
  }

  /// Returns the position of the first value that is equal to the given one, or nil.
  public func index(of element: Element) -> Int? { position(of: element) }

  /// Returns whether a value is equal to the given one.
  public func contains(_ element: Element) -> Bool { index(of: element) != nil }

  /// Returns the position of the first value whose object meets a predicate, or nil.
  public func index(matching predicate: NSPredicate) -> Int? {
    source.index(matching: predicate)
  }
}

extension ProjectedCollection: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { source.count }

  /// The value at a position. A position out of range stops the process, as with an array.
  ///
  /// Setting it changes the object at that position, inside of `write`. A read-only key path is
  /// reported through `IssueReporting`, and nothing is changed.
  public subscript(position: Int) -> Element {
    get { source.value(at: position) }
    nonmutating set { source.setValue(newValue, at: position) }
  }

  public func makeIterator() -> AnyIterator<Element> { source.iterator() }
}

extension ProjectedCollection: CustomStringConvertible {
  public var description: String {
    var lines = "ProjectedCollection<\(Element.self)> {\n"
    for (position, value) in prefix(100).enumerated() { lines += "\t[\(position)] \(value)\n" }
    if count > 100 { lines += "\t... \(count - 100) more\n" }
    return lines + "}"
  }
}

extension ProjectedCollection: ThreadConfined {
  /// Whether the collection's object was managed by a realm, and isn't any more.
  public var isInvalidated: Bool { source.isInvalidated }

  public func _confined() -> _Confined? { source.confined() }
}

/// The objects of a collection, and the property whose values are shown.
protocol ProjectedSource<Value> {
  associatedtype Value: RealmCollectionValue

  var count: Int { get }
  var isInvalidated: Bool { get }
  /// The properties of an object that its value is computed from.
  var keyPaths: [String] { get }

  func value(at position: Int) -> Value
  func setValue(_ value: Value, at position: Int)
  func iterator() -> AnyIterator<Value>
  func index(matching predicate: NSPredicate) -> Int?

  /// Returns the description of the ``ProjectedCollection``, for its `_confined()`.
  func confined() -> _Confined?
  /// Returns the inputs of an observation; nil for unmanaged objects.
  func observed() -> _Observed<ProjectedCollection<Value>>?
}

struct ProjectedObjects<Objects: RealmCollection, Value: RealmCollectionValue>: ProjectedSource
where Objects.Element: ObjectBase {
  let objects: Objects
  let keyPath: KeyPath<Objects.Element, Value>

  var count: Int { objects.count }
  var isInvalidated: Bool { objects.isInvalidated }
  var keyPaths: [String] {
    guard let info = ClassInfo.reporting(Objects.Element.self) else { return [] }
    let reads = ordinarily { PropertyReads(info, of: Objects.Element.self, by: keyPath) }
    defer { reads?.end() }
    return reads?.reads.map(\.path.text) ?? []
  }

  func value(at position: Int) -> Value { objects[position][keyPath: keyPath] }

  func setValue(_ value: Value, at position: Int) {
    guard let keyPath = keyPath as? ReferenceWritableKeyPath<Objects.Element, Value> else {
      reportIssue("\(ErrorText.readOnlyKeyPath(keyPath))")
      return
    }
    objects[position][keyPath: keyPath] = value
  }

  func iterator() -> AnyIterator<Value> {
    var objects = objects.makeIterator()
    return AnyIterator { [keyPath] in objects.next()?[keyPath: keyPath] }
  }

  func index(matching predicate: NSPredicate) -> Int? { objects.index(matching: predicate) }

  func confined() -> _Confined? {
    objects._confined()?.map { [keyPath] (objects: Objects) in
      ProjectedCollection(ProjectedObjects(objects: objects, keyPath: keyPath))
    }
  }

  func observed() -> _Observed<ProjectedCollection<Value>>? {
    guard let observed = objects._observed() else { return nil }
    return _Observed(session: observed.session) { keyPaths throws(RealmError) in
      try observed.source(keyPaths ?? self.keyPaths)
    } shown: { [keyPath] session in
      ProjectedCollection(ProjectedObjects(objects: observed.shown(session), keyPath: keyPath))
    }
  }
}

/// The common part of all projection classes.
public protocol ProjectionObservable: AnyObject, RealmFetchable {
  /// The class of the projected objects.
  associatedtype Root: ObjectBase

  /// The projected object.
  var rootObject: Root { get }

  /// Creates a projection of an object.
  init(projecting object: Root)
}

/// The result of `projectTo` of a collection. Its members are the properties of the elements, each
/// as a ``ProjectedCollection``.
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase> {
  fileprivate let objects: any RealmCollection<Element>

  /// The values of a property in the order of the elements.
  public subscript<Value: RealmCollectionValue>(
    dynamicMember member: KeyPath<Element, Value>
  ) -> ProjectedCollection<Value> {
    func values(of objects: some RealmCollection<Element>) -> ProjectedCollection<Value> {
      ProjectedCollection(ProjectedObjects(objects: objects, keyPath: member))
    }
    return values(of: objects)
  }
}

extension List where Element: ObjectBase {
  /// The values of a property of the objects: `dogs.projectTo.name`. See ``ProjectedCollection``.
  public var projectTo: CollectionElementMapper<Element> {
    CollectionElementMapper(objects: self)
  }
}

extension MutableSet where Element: ObjectBase {
  /// The values of a property of the objects: `dogs.projectTo.name`. See ``ProjectedCollection``.
  ///
  /// The values are not a set: equal values occur once per object.
  public var projectTo: CollectionElementMapper<Element> {
    CollectionElementMapper(objects: self)
  }
}

extension LinkingObjects {
  /// The values of a property of the objects: `owners.projectTo.name`. See ``ProjectedCollection``.
  public var projectTo: CollectionElementMapper<Element> {
    CollectionElementMapper(objects: self)
  }
}

extension ProjectedCollection: _ObservableCollection {
  public typealias _ObservedElement = Element

  /// Returns a sequence of the values as they are now, followed by their changes.
  ///
  /// - Parameter keyPaths: The properties of the objects to observe; nil for the projected one.
  public func changes(
    keyPaths: [String]? = nil
  ) -> ChangeSequence<RealmCollectionChange<ProjectedCollection>> {
    ChangeSequence(keyPaths, source.observed, translate: \.translation)
  }
}

public import Foundation
public import Strata

/// A collection that a view shows, and can change: `$person.dogs`, `$people`.
///
/// Each method runs its own transaction, or joins a running one. A frozen collection is thawed
/// first. A transaction that fails changes nothing, and is reported through `IssueReporting`. Code
/// that must handle the error calls the realm's `write` instead.
@MainActor
public protocol BoundCollection {
  /// The collection.
  associatedtype Value
  /// Its elements.
  associatedtype Element: RealmCollectionValue

  /// The shown collection.
  var wrappedValue: Value { get }

  /// Changes the collection in a transaction.
  func _change(_ change: (Value) -> Void)
}

// MARK: - Lists

extension BoundCollection where Value == List<Element> {
  /// Adds an element at the end. A new object is added to the realm.
  public func append(_ element: Element) {
    _change { $0.append(Writing.live(element)) }
  }

  /// Inserts an element before a position.
  public func insert(_ element: Element, at position: Int) {
    _change { $0.insert(Writing.live(element), at: position) }
  }

  /// Removes the element that is shown at a position. Objects stay in the realm.
  ///
  /// If the list was changed elsewhere since, the element is removed from its present position; if
  /// it was removed already, nothing happens. The two methods below find their elements in the same
  /// way.
  public func remove(at position: Int) {
    guard wrappedValue.indices.contains(position) else {
      // The list reports the mistake.
      return _change { $0.remove(at: position) }
    }
    remove(atOffsets: [position])
  }

  /// Removes the elements that are shown at some positions, as passed to `onDelete`. Objects stay
  /// in the realm.
  public func remove(atOffsets offsets: IndexSet) {
    let elements = ShownElements(offsets, of: wrappedValue)
    _change { $0.remove(atOffsets: elements.positions(in: $0)) }
  }

  /// Moves elements before the element that is shown at another position, as passed to `onMove`.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    let elements = ShownElements(offsets, of: wrappedValue)
    let next = ShownElements([destination], of: wrappedValue)
    _change { list in
      list.move(
        fromOffsets: elements.positions(in: list),
        toOffset: next.positions(in: list).first ?? min(destination, list.count))
    }
  }
}

/// The elements of a list that the user has selected by their positions. The list may change
/// elsewhere before the transaction begins.
@MainActor
struct ShownElements<Element: RealmCollectionValue> {
  private let elements: [(position: Int, element: Element)]
  /// Whether the positions apply to the present list. Inside the caller's transaction, a view
  /// doesn't show the transaction's changes. Values of any type can't be identified.
  private let areFixed: Bool

  /// - Parameter offsets: The positions. Positions after the end of the list are ignored.
  init(_ offsets: IndexSet, of shown: List<Element>) {
    // An unmanaged list has no snapshots, and can't be thawed.
    let live = shown.realm == nil ? shown : shown.thaw()
    areFixed = live?.realm?.isInWriteTransaction != false || Element.self == AnyRealmValue.self
    let list = areFixed ? live ?? shown : shown
    elements = offsets.intersection(IndexSet(list.indices)).map { ($0, list[$0]) }
  }

  /// Returns the present positions of the elements: their old positions, or else the nearest equal
  /// element. Removed elements are left out.
  func positions(in list: List<Element>) -> IndexSet {
    guard !areFixed else {
      return IndexSet(elements.map(\.position)).intersection(IndexSet(list.indices))
    }
    var found = IndexSet()
    for (position, shown) in elements {
      let element = Writing.live(shown)
      if position < list.count, list[position] == element, found.insert(position).inserted {
        continue
      }
      let others = list.indices.filter { !found.contains($0) && list[$0] == element }
      if let nearest = others.min(by: { abs($0 - position) < abs($1 - position) }) {
        found.insert(nearest)
      }
    }
    return found
  }
}

// MARK: - Sets

extension BoundCollection where Value == MutableSet<Element> {
  /// Adds an element, unless the set contains it. A new object is added to the realm.
  public func insert(_ element: Element) {
    _change { $0.insert(Writing.live(element)) }
  }

  /// Removes an element, if the set contains it. Objects stay in the realm.
  public func remove(_ element: Element) {
    _change { $0.remove(Writing.live(element)) }
  }
}

// MARK: - Results

extension BoundCollection where Value == Results<Element>, Element: _ObjectShowing {
  /// Deletes an object, or the object of a projection, from its realm.
  public func remove(_ object: Element) {
    _change { _ in Writing.delete(object) }
  }

  /// Deletes the objects at some positions, as passed to `onDelete`, from their realm.
  public func remove(atOffsets offsets: IndexSet) {
    let shown = wrappedValue
    let objects = offsets.intersection(IndexSet(0..<shown.count)).map { shown[$0] }
    _change { _ in for object in objects { Writing.delete(object) } }
  }
}

extension BoundCollection where Value == Results<Element>, Element: RealmFetchable {
  /// Adds an object, or the object of a projection, to the realm of the results. An object of the
  /// realm is not changed.
  public func append(_ object: Element) {
    _change { results in
      if let realm = results.realm { Writing.add(object, to: realm) }
    }
  }
}

// MARK: - Maps

/// A map that a view shows, and can change: `$person.scores`.
@MainActor
public protocol BoundMap {
  /// The map.
  associatedtype Value: RealmKeyedCollection

  /// The shown map.
  var wrappedValue: Value { get }

  /// Changes the map in a transaction.
  func _change(_ change: (Value) -> Void)
}

extension BoundMap {
  /// The value of a key, or nil. Setting nil removes the key.
  public subscript(key: Value.Key) -> Value.Value? {
    get { wrappedValue[key] }
    nonmutating set {
      _change { map in
        var map = map
        map[key] = newValue.map { Writing.live($0) }
      }
    }
  }

  /// Sets the value of a key; nil removes it.
  public func set(object: Value.Value?, for key: Value.Key) { self[key] = object }
}

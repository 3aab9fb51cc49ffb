import StrataSchema
import StrataStorage

/// A change of one thing in a file: a request of the page, or the undo of one.
///
/// ```swift
/// Edit.set(age, was: .wire(99), to: .stored(_StoredElement(.integer(97))))
/// ```
/// An object that was restored under a new identity is still referred to by its old one.
enum Edit: Sendable {
  /// Creates or restores an object. Other changes of the request refer to it by the name.
  case create(Draft, name: String?)
  case delete(ObjectLink, was: [ExpectedValue])
  case set(Place, was: Expected, to: NewValue)
  /// Inserts into a list at a position, or at its end if the position is nil; or into a set.
  case insert(Place, at: Int?, NewValue)
  case replace(Place, at: Int, was: Expected, to: NewValue)
  case removeAt(Place, at: Int, was: Expected)
  case removeValue(Place, Expected)
  case move(Place, from: Int, to: Int, was: Expected)
  case setKey(Place, key: String, was: Expected, to: NewValue)
  case removeKey(Place, key: String, was: Expected)
}

/// A property of one object.
struct Place: Sendable {
  var object: ObjectLink
  let property: Property

  /// The table of a collection; nil for other properties.
  var table: CollectionTable? {
    CollectionTable(className: object.className, property: property)
  }

  /// The property of a single element of the collection, or the property itself.
  var single: Property {
    guard let table else { return property }
    var single = table.property
    single.collection = nil
    single.allowsNil = table.isNullable
    return single
  }

  /// The name of the property in messages.
  var name: String { "'\(PlainText.of(object.className)).\(PlainText.of(property.name))'" }
}

/// The value that is expected before a change.
enum Expected: Sendable {
  /// Any value.
  case anything
  /// The JSON that was sent to the page.
  case wire(JSONValue)
  /// The complete value.
  case stored(_StoredElement)
  /// All elements of a collection.
  case elements([StoredEntry])
  /// No value: the map doesn't have the key.
  case absent
}

/// An element of a collection as stored, with its key in a map.
struct StoredEntry: Hashable, Sendable {
  let key: StoredText
  var value: _StoredElement
}

/// A property of an object and its expected value.
struct ExpectedValue: Sendable {
  /// The embedded object with the property; nil for the object itself.
  var object: ObjectLink?
  let property: Property
  let value: Expected
}

/// A value to write.
indirect enum NewValue: Sendable {
  case stored(_StoredElement)
  /// A value that existed before. A list or dictionary in it may have links to deleted objects.
  case kept(_StoredElement)
  /// The object that an earlier change of the request created under this name.
  case created(String)
  /// A new embedded object.
  case embedded(Draft)
}

/// An object before its creation: its values, and the incoming links of a restored one.
struct Draft: Sendable {
  let className: String
  /// The identity before the deletion.
  var identity: Int64?
  var values: [DraftValue] = []
  var collections: [DraftCollection] = []
  var incoming: [IncomingLink] = []
}

/// A value of an object before its creation.
struct DraftValue: Sendable {
  let property: Property
  var value: NewValue
}

/// The elements of a collection of an object before its creation, in order; with keys in a map.
struct DraftCollection: Sendable {
  let property: Property
  var elements: [(key: String, value: NewValue)] = []
}

/// A link that led to an object when it was deleted.
struct IncomingLink: Sendable {
  let place: Place
  /// The position in a list.
  var position: Int?
  /// The key in a map.
  var key: String?
}

extension Draft {
  /// The old identities of the object and its embedded objects.
  var identitiesInside: Set<ObjectLink> {
    var links: Set<ObjectLink> = []
    if let identity { links.insert(ObjectLink(className: className, identity: identity)) }
    for case .embedded(let child) in parts.map(\.value) { links.formUnion(child.identitiesInside) }
    return links
  }

  /// The approximate size in memory, in bytes.
  var byteCount: Int {
    values.reduce(200 + incoming.count * 100) { $0 + $1.value.byteCount }
      + collections.reduce(0) { sum, collection in
        collection.elements.reduce(sum) { $0 + $1.key.utf8.count + $1.value.byteCount }
      }
  }
}

extension NewValue {
  /// Whether the value is a list or dictionary of an `AnyRealmValue` that existed before.
  var isKeptNested: Bool { if case .kept(let element) = self { element.isNested } else { false } }

  var byteCount: Int {
    switch self {
    case .stored(let element), .kept(let element): element.byteCount
    case .created(let name): name.utf8.count
    case .embedded(let draft): draft.byteCount
    }
  }
}

extension Expected {
  var byteCount: Int {
    switch self {
    case .stored(let element): element.byteCount
    case .elements(let entries):
      entries.reduce(0) { $0 + $1.key.text.utf8.count + $1.value.byteCount }
    case .anything, .wire, .absent: 0
    }
  }
}

extension _StoredElement {
  fileprivate var byteCount: Int {
    switch value {
    case .text(let text): 50 + text.utf8.count
    case .blob(let bytes): 50 + bytes.count
    case .null, .integer, .real: 50
    }
  }
}

extension Edit {
  var isCreation: Bool { if case .create = self { true } else { false } }

  /// The approximate size in memory, in bytes.
  var byteCount: Int {
    switch self {
    case .create(let draft, _): draft.byteCount
    case .delete(_, let was): was.reduce(100) { $0 + $1.value.byteCount }
    case .insert(_, _, let value): 100 + value.byteCount
    case .removeValue(_, let was), .removeAt(_, _, let was), .move(_, _, _, let was),
      .removeKey(_, _, let was):
      100 + was.byteCount
    case .set(_, let was, let to), .replace(_, _, let was, let to), .setKey(_, _, let was, let to):
      100 + was.byteCount + to.byteCount
    }
  }

  /// The parts of a title for people: the verb, and the class or property to change.
  var title: (verb: String, subject: String, object: ObjectLink?) {
    switch self {
    case .create(let draft, _): ("Create", draft.className, nil)
    case .delete(let link, _): ("Delete", link.className, nil)
    case .set(let place, _, _):
      ("Set", "\(place.object.className).\(place.property.name)", place.object)
    case .insert(let place, _, _), .replace(let place, _, _, _), .removeAt(let place, _, _),
      .removeValue(let place, _), .move(let place, _, _, _), .setKey(let place, _, _, _),
      .removeKey(let place, _, _):
      ("Change", "\(place.object.className).\(place.property.name)", place.object)
    }
  }
}

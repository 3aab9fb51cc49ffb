import Foundation
import Strata

/// A use of each declaration that the table says is there. The uses are compiled, and never run.
final class APIUses {
  /// A name in the table, below its heading.
  struct Name: Hashable {
    var heading: String
    var declaration: String
  }

  // The module has other classes of these names, for other tests.
  typealias Person = APIModels.Person
  typealias PersonCard = APIModels.PersonCard
  typealias Dog = APIModels.Dog
  typealias Address = APIModels.Address
  typealias Kind = APIModels.Kind
  typealias OldKind = APIModels.OldKind
  typealias Meters = APIModels.Meters
  typealias Port = APIModels.Port

  private(set) var names: [Name] = []

  init() {
    realm()
    realmConfiguration()
    realmError()
    object()
    properties()
    realmCollection()
    valuesOfRealmCollection()
    anyRealmCollection()
    results()
    linkingObjects()
    list()
    mutableSet()
    map()
    sortDescriptor()
    sectionedResults()
    changes()
    projection()
    threadSafeReferenceAndThreadSafe()
    migration()
    dynamicObject()
    schema()
    anyRealmValue()
    objectId()
    decimal128()
    query()
    places()
    logging()
    everywhere()
    swiftUI()
  }

  /// Notes that a declaration is used by a closure, which is compiled only.
  func use(_ heading: String, _ declaration: String, _: (Things) throws -> Void) {
    names.append(Name(heading: heading, declaration: declaration))
  }

  /// The same for a use by a task on the main actor.
  func taskUse(
    _ heading: String, _ declaration: String, _: @MainActor (Things) async throws -> Void
  ) {
    names.append(Name(heading: heading, declaration: declaration))
  }
}

/// The values that the uses need. They don't exist: no use is ever run.
struct Things {
  typealias Person = APIModels.Person
  typealias Dog = APIModels.Dog

  var realm: Realm
  var configuration: Realm.Configuration
  var error: Realm.Error
  var url: URL
  var queue: DispatchQueue
  var token: NotificationToken
  var person: Person
  var dog: Dog
  var address: APIModels.Address
  var card: APIModels.PersonCard
  var dynamic: DynamicObject
  var collections: Collections
  var migration: Migration
  var schemas: Schemas
  var values: Values

  struct Collections {
    var dogs: List<Dog>
    var pack: MutableSet<Dog>
    var found: Results<Dog>
    var linking: LinkingObjects<Dog>
    var anything: AnyRealmCollection<Dog>
    var results: Results<Person>
    var sections: SectionedResults<Int8, Dog>
  }

  struct Values {
    var decimal: Decimal128
    var sortDescriptor: Strata.SortDescriptor
  }

  struct Schemas {
    var schema: Schema
    var objectSchema: ObjectSchema
    var property: Property
    var change: PropertyChange
  }
}

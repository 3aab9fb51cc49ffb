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
    useRealm()
    useRealmConfiguration()
    useRealmError()
    useObject()
    useProperties()
    useRealmCollection()
    useValuesOfRealmCollection()
    useAnyRealmCollection()
    useResults()
    useLinkingObjects()
    useList()
    useMutableSet()
    useMap()
    useSortDescriptor()
    useSectionedResults()
    useChanges()
    useProjection()
    useThreadSafeReferenceAndThreadSafe()
    useMigration()
    useDynamicObject()
    useSchema()
    useAnyRealmValue()
    useObjectId()
    useDecimal128()
    useQuery()
    usePlaces()
    useLogging()
    useEverywhere()
    useSwiftUI()
  }

  /// The heading in the table of the uses that follow.
  var heading = ""

  /// Notes that a declaration is used by an expression, which is compiled only.
  func use<T>(_ declaration: String, _: @autoclosure () throws -> T) {
    names.append(Name(heading: heading, declaration: declaration))
  }

  /// The same for each of the five collections.
  func use<A, B, C, D, E>(
    _ declaration: String, _: @autoclosure () -> A, _: @autoclosure () -> B,
    _: @autoclosure () -> C, _: @autoclosure () -> D, _: @autoclosure () -> E
  ) {
    names.append(Name(heading: heading, declaration: declaration))
  }

  /// The same for statements.
  func uses(_ declaration: String, _: () throws -> Void) {
    names.append(Name(heading: heading, declaration: declaration))
  }

  /// The same for a task on the main actor.
  func taskUse(_ declaration: String, _: @MainActor (APIUses) async throws -> Void) {
    names.append(Name(heading: heading, declaration: declaration))
  }
}

/// The values that the uses need. They don't exist: no use is ever run.
extension APIUses {
  var realm: Realm { value() }
  var configuration: Realm.Configuration { value() }
  var error: Realm.Error { value() }
  var url: URL { value() }
  var queue: DispatchQueue { value() }
  var token: NotificationToken { value() }
  var person: Person { value() }
  var dog: Dog { value() }
  var address: Address { value() }
  var card: PersonCard { value() }
  var object: DynamicObject { value() }
  var dogs: List<Dog> { value() }
  var pack: MutableSet<Dog> { value() }
  var found: Results<Dog> { value() }
  var linking: LinkingObjects<Dog> { value() }
  var anything: AnyRealmCollection<Dog> { value() }
  var results: Results<Person> { value() }
  var sections: SectionedResults<Int8, Dog> { value() }
  var migration: Migration { value() }
  var schema: Schema { value() }
  var objectSchema: ObjectSchema { value() }
  var property: Property { value() }
  var change: PropertyChange { value() }
  var decimal: Decimal128 { value() }
  var sortDescriptor: Strata.SortDescriptor { value() }

  private func value<T>() -> T { fatalError("No use is run.") }
}

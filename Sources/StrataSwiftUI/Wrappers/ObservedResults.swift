#if canImport(SwiftUI)
  public import Foundation
  public import Strata
  public import SwiftUI

  /// The objects of a class, optionally with a condition, which the view shows and observes.
  ///
  /// ```swift
  /// struct PeopleView: View {
  ///   @ObservedResults(Person.self, where: { $0.age >= 18 }, sortDescriptor: "name") var people
  ///
  ///   var body: some View {
  ///     List {
  ///       ForEach(people) { PersonRow(person: $0) }
  ///         .onDelete(perform: $people.remove)
  ///     }
  ///   }
  /// }
  /// ```
  /// The view gets a frozen copy, and is computed again when objects are added, deleted or changed,
  /// by this program or another. The query is set only once: if SwiftUI creates the view again with
  /// another condition, the first one is kept until it is set: `$people.filter = …`.
  ///
  /// The realm is the environment's realm, unless the property has a configuration. If it can't be
  /// opened, there are no objects, ``error`` returns the reason, and the error is reported through
  /// `IssueReporting`.
  @MainActor @propertyWrapper
  public struct ObservedResults<ResultType: RealmCollectionValue>: DynamicProperty {
    private let given: Realm.Configuration?
    @Environment(\.realmConfiguration) private var ofEnvironment
    @State private var shown: ShownQuery<ResultType, Results<ResultType>>

    /// The objects, frozen.
    public var wrappedValue: Results<ResultType> { shown.value(in: configuration) }

    /// The query, and methods to change the objects.
    public var projectedValue: ObservedResults { self }

    /// The reason why there are no objects, or no newer ones: the realm can't be opened or read.
    public var error: (any Error)? { shown.error(in: configuration) }

    /// A condition; nil for no condition. Setting it replaces ``where``, and updates the objects.
    public var filter: NSPredicate? {
      get { shown.question.filter }
      nonmutating set { shown.ask { ($0.filter, $0.condition) = (newValue, nil) } }
    }

    /// A condition as a closure; nil for no condition. Setting it replaces ``filter``, and updates
    /// the objects.
    public var `where`: ((Query<ResultType>) -> Query<Bool>)? {
      get { shown.question.condition }
      nonmutating set { shown.ask { ($0.filter, $0.condition) = (nil, newValue) } }
    }

    /// The order; nil for the order in which the objects were added.
    public var sortDescriptor: Strata.SortDescriptor? {
      get { shown.question.sortDescriptors.first }
      nonmutating set { shown.ask { $0.sortDescriptors = newValue.map { [$0] } ?? [] } }
    }

    private var configuration: Realm.Configuration { given ?? ofEnvironment }

    func search(_ text: String, in keyPath: KeyPath<ResultType, String>)
    where ResultType: ObjectBase {
      shown.search(text, in: keyPath)
    }
  }

  extension ObservedResults: BoundCollection {
    public typealias Element = ResultType
    public typealias Value = Results<ResultType>

    public func _change(_ change: (Results<ResultType>) -> Void) {
      let objects = shown.question.objects
      shown.change(in: configuration) { change(objects($0)) }
    }

    /// Deletes the shown objects at some positions, as passed to `onDelete`.
    public func remove(atOffsets offsets: IndexSet) where ResultType: ObjectBase {
      let displayed = shown.displayed(in: configuration)
      let objects = offsets.intersection(IndexSet(0..<displayed.count)).map { displayed[$0] }
      _change { _ in for object in objects { Writing.delete(object) } }
    }
  }

  extension ObservedResults where ResultType: RealmFetchable {
    private init(
      _ configuration: Realm.Configuration?, _ keyPaths: [String]?,
      _ sortDescriptor: Strata.SortDescriptor?, filter: NSPredicate? = nil,
      condition: ((Query<ResultType>) -> Query<Bool>)? = nil
    ) {
      var question = ShownQuery<ResultType, Results<ResultType>>.Question(
        objects: { $0.objects(ResultType.self) }, keyPaths: keyPaths
      ) { results, order in
        order.isEmpty ? results : results.sorted(by: order)
      }
      question.sortDescriptors = sortDescriptor.map { [$0] } ?? []
      question.filter = filter
      question.condition = condition
      given = configuration
      _shown = State(wrappedValue: ShownQuery(question))
    }

    /// - Parameters:
    ///   - type: The class, of objects or of projections. Conditions and the order name properties
    ///     of the objects.
    ///   - configuration: The realm; nil for the environment's realm.
    ///   - filter: A condition.
    ///   - keyPaths: The observed properties of an object, with dots through links; nil for all.
    ///   - sortDescriptor: The order; nil for the order in which the objects were added.
    public init(
      _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
      filter: NSPredicate? = nil, keyPaths: [String]? = nil,
      sortDescriptor: Strata.SortDescriptor? = nil
    ) {
      self.init(configuration, keyPaths, sortDescriptor, filter: filter)
    }

    /// - Parameters:
    ///   - type: The class.
    ///   - configuration: The realm; nil for the environment's realm.
    ///   - isIncluded: A condition.
    ///   - keyPaths: The observed properties of an object; nil for all.
    ///   - sortDescriptor: The order; nil for the order in which the objects were added.
    public init(
      _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
      where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>, keyPaths: [String]? = nil,
      sortDescriptor: Strata.SortDescriptor? = nil
    ) {
      self.init(configuration, keyPaths, sortDescriptor, condition: isIncluded)
    }
  }
#endif

#if canImport(SwiftUI)
  public import Foundation
  public import Strata
  public import SwiftUI

  /// The objects of a class, or those that fulfil a condition, which the view shows and follows.
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
  /// The view gets a frozen copy, and is computed again when objects come, go or change, by this
  /// program or another. What is asked for is said once: a view that SwiftUI makes again with
  /// another condition keeps the first one, until it is set: `$people.filter = …`.
  ///
  /// The realm is that of the environment, unless the property has a configuration. If it can't be
  /// opened, there are no objects, ``error`` says why, and that is reported through
  /// `IssueReporting`.
  @MainActor @propertyWrapper
  public struct ObservedResults<ResultType: RealmCollectionValue>: DynamicProperty {
    private let given: Realm.Configuration?
    @Environment(\.realmConfiguration) private var ofEnvironment
    @State private var shown: ShownQuery<ResultType, Results<ResultType>>

    init(
      _ configuration: Realm.Configuration?, keyPaths: [String]?,
      _ sortDescriptor: Strata.SortDescriptor?,
      objects: @escaping (Realm) -> Results<ResultType>,
      _ ask: (inout ShownQuery<ResultType, Results<ResultType>>.Question) -> Void
    ) {
      var question = ShownQuery<ResultType, Results<ResultType>>.Question(
        objects: objects, keyPaths: keyPaths
      ) { results, order in
        order.isEmpty ? results : results.sorted(by: order)
      }
      question.sortDescriptors = sortDescriptor.map { [$0] } ?? []
      ask(&question)
      given = configuration
      _shown = State(wrappedValue: ShownQuery(question))
    }

    /// The objects, frozen.
    public var wrappedValue: Results<ResultType> { shown.value(in: configuration) }

    /// What can be asked otherwise, and done to the objects.
    public var projectedValue: ObservedResults { self }

    /// Why there are no objects, or no newer ones: the realm can't be opened, or not be read.
    public var error: (any Error)? { shown.error(in: configuration) }

    /// A condition; nil for none. Setting it shows what fulfils it from now on, in the place of
    /// ``where``.
    public var filter: NSPredicate? {
      get { shown.question.filter }
      nonmutating set { shown.ask { ($0.filter, $0.condition) = (newValue, nil) } }
    }

    /// A condition, as a closure; nil for none. Setting it shows what fulfils it from now on, in
    /// the place of ``filter``.
    public var `where`: ((Query<ResultType>) -> Query<Bool>)? {
      get { shown.question.condition }
      nonmutating set { shown.ask { ($0.filter, $0.condition) = (nil, newValue) } }
    }

    /// The order; nil for that in which they were added.
    public var sortDescriptor: Strata.SortDescriptor? {
      get { shown.question.sortDescriptors.first }
      nonmutating set { shown.ask { $0.sortDescriptors = newValue.map { [$0] } ?? [] } }
    }

    private var configuration: Realm.Configuration { given ?? ofEnvironment }

    func search(
      _ text: String, _ condition: @escaping (Results<ResultType>) -> Results<ResultType>
    ) {
      shown.search(text, condition)
    }
  }

  extension ObservedResults: BoundCollection {
    public typealias Element = ResultType
    public typealias Value = Results<ResultType>

    public func _change(_ change: (Results<ResultType>) -> Void) {
      let objects = shown.question.objects
      shown.change(in: configuration) { change(objects($0)) }
    }

    /// Deletes the objects at some positions of those that are shown, as `onDelete` gives them.
    public func remove(atOffsets offsets: IndexSet) where ResultType: ObjectBase {
      let displayed = shown.displayed(in: configuration)
      let objects = offsets.intersection(IndexSet(0..<displayed.count)).map { displayed[$0] }
      _change { _ in for object in objects { Writing.delete(object) } }
    }
  }

  extension ObservedResults where ResultType: Object {
    /// - Parameters:
    ///   - type: The class.
    ///   - configuration: The realm; nil for that of the environment.
    ///   - filter: A condition.
    ///   - keyPaths: Which changes of an object count: names of properties, with dots through
    ///     links; nil for all.
    ///   - sortDescriptor: The order; nil for that in which they were added.
    public init(
      _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
      filter: NSPredicate? = nil, keyPaths: [String]? = nil,
      sortDescriptor: Strata.SortDescriptor? = nil
    ) {
      self.init(configuration, keyPaths: keyPaths, sortDescriptor) {
        $0.objects(type)
      } _: {
        $0.filter = filter
      }
    }

    /// - Parameters:
    ///   - type: The class.
    ///   - configuration: The realm; nil for that of the environment.
    ///   - isIncluded: A condition.
    ///   - keyPaths: Which changes of an object count; nil for all.
    ///   - sortDescriptor: The order; nil for that in which they were added.
    public init(
      _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
      where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>, keyPaths: [String]? = nil,
      sortDescriptor: Strata.SortDescriptor? = nil
    ) {
      self.init(configuration, keyPaths: keyPaths, sortDescriptor) {
        $0.objects(type)
      } _: {
        $0.condition = isIncluded
      }
    }
  }

  extension ObservedResults where ResultType: ProjectionObservable, ResultType.Root: Object {
    /// - Parameters:
    ///   - type: The class of projections. Conditions and the order name properties of its objects.
    ///   - configuration: The realm; nil for that of the environment.
    ///   - filter: A condition.
    ///   - keyPaths: Which changes count; nil for all that is projected.
    ///   - sortDescriptor: The order; nil for that in which they were added.
    public init(
      _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
      filter: NSPredicate? = nil, keyPaths: [String]? = nil,
      sortDescriptor: Strata.SortDescriptor? = nil
    ) {
      self.init(configuration, keyPaths: keyPaths, sortDescriptor) {
        $0.objects(type)
      } _: {
        $0.filter = filter
      }
    }

    /// - Parameters:
    ///   - type: The class of projections. Conditions and the order name properties of its objects.
    ///   - configuration: The realm; nil for that of the environment.
    ///   - isIncluded: A condition.
    ///   - keyPaths: Which changes count; nil for all that is projected.
    ///   - sortDescriptor: The order; nil for that in which they were added.
    public init(
      _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
      where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>, keyPaths: [String]? = nil,
      sortDescriptor: Strata.SortDescriptor? = nil
    ) {
      self.init(configuration, keyPaths: keyPaths, sortDescriptor) {
        $0.objects(type)
      } _: {
        $0.condition = isIncluded
      }
    }
  }
#endif

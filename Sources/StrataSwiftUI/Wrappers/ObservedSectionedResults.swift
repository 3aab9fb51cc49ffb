#if canImport(SwiftUI)
  public import Foundation
  public import Strata
  public import SwiftUI

  /// The objects of a class in sections, which the view shows and follows.
  ///
  /// ```swift
  /// struct PeopleView: View {
  ///   @ObservedSectionedResults(
  ///     Person.self, sectionKeyPath: \.initial, sortDescriptors: ["name"]) var people
  ///
  ///   var body: some View {
  ///     List(people) { section in
  ///       Section(section.key) {
  ///         ForEach(section) { PersonRow(person: $0) }
  ///           .onDelete { $people.remove(atOffsets: $0, section: section) }
  ///       }
  ///     }
  ///   }
  /// }
  /// ```
  /// The first descriptor orders by what the key of a section comes from; without one a key path
  /// has to be of a property. Otherwise it is as `@ObservedResults`.
  @MainActor @propertyWrapper
  public struct ObservedSectionedResults<Key: Hashable, ResultType: RealmCollectionValue>:
    DynamicProperty
  {
    private let given: Realm.Configuration?
    @Environment(\.realmConfiguration) private var ofEnvironment
    @State private var shown: ShownQuery<ResultType, SectionedResults<Key, ResultType>>

    init(
      _ configuration: Realm.Configuration?, _ keyPaths: [String]?,
      _ sortDescriptors: [Strata.SortDescriptor],
      objects: @escaping (Realm) -> Results<ResultType>,
      arranged:
        @escaping (Results<ResultType>, [Strata.SortDescriptor]) -> SectionedResults<
          Key, ResultType
        >,
      _ ask: (inout ShownQuery<ResultType, SectionedResults<Key, ResultType>>.Question) -> Void
    ) {
      var question = ShownQuery<ResultType, SectionedResults<Key, ResultType>>.Question(
        objects: objects, keyPaths: keyPaths, arranged: arranged)
      question.sortDescriptors = sortDescriptors
      ask(&question)
      given = configuration
      _shown = State(wrappedValue: ShownQuery(question))
    }

    /// The sections, frozen.
    public var wrappedValue: SectionedResults<Key, ResultType> { shown.value(in: configuration) }

    /// What can be asked otherwise, and done to the objects.
    public var projectedValue: ObservedSectionedResults { self }

    /// Why there are no sections, or no newer ones: the realm can't be opened, or not be read.
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

    /// The order, beginning with what the key of a section comes from.
    public var sortDescriptors: [Strata.SortDescriptor] {
      get { shown.question.sortDescriptors }
      nonmutating set { shown.ask { $0.sortDescriptors = newValue } }
    }

    private var configuration: Realm.Configuration { given ?? ofEnvironment }

    func search(
      _ text: String, _ condition: @escaping (Results<ResultType>) -> Results<ResultType>
    ) {
      shown.search(text, condition)
    }

    func change(_ change: (Realm) -> Void) {
      shown.change(in: configuration, change)
    }
  }

  extension ObservedSectionedResults where ResultType: ObjectBase {
    /// Deletes an object from its realm.
    public func remove(_ object: ResultType) {
      change { _ in Writing.delete(object) }
    }

    /// Deletes the objects at some positions of a section, as `onDelete` gives them.
    public func remove(atOffsets offsets: IndexSet, section: ResultsSection<Key, ResultType>) {
      let objects = offsets.intersection(IndexSet(0..<section.count)).map { section[$0] }
      change { _ in for object in objects { Writing.delete(object) } }
    }
  }

  extension ObservedSectionedResults where ResultType: Object {
    /// Adds an object to the realm. An object of the realm stays as it is.
    public func append(_ object: ResultType) {
      change { realm in
        if object.realm == nil { realm.add(object) }
      }
    }

    /// - Parameters:
    ///   - type: The class.
    ///   - sectionKeyPath: What the objects of a section have in common.
    ///   - sortDescriptors: The order, beginning with what the key comes from; empty for that of
    ///     the key.
    ///   - filter: A condition.
    ///   - keyPaths: Which changes of an object count; nil for all.
    ///   - configuration: The realm; nil for that of the environment.
    public init(
      _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
      sortDescriptors: [Strata.SortDescriptor] = [], filter: NSPredicate? = nil,
      keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
    ) {
      self.init(configuration, keyPaths, sortDescriptors) {
        $0.objects(type)
      } arranged: { results, order in
        order.isEmpty
          ? results.sectioned(by: sectionKeyPath)
          : results.sectioned(by: sectionKeyPath, sortDescriptors: order)
      } _: {
        $0.filter = filter
      }
    }

    /// - Parameters:
    ///   - type: The class.
    ///   - sectionKeyPath: What the objects of a section have in common.
    ///   - sortDescriptors: The order, beginning with what the key comes from; empty for that of
    ///     the key.
    ///   - isIncluded: A condition.
    ///   - keyPaths: Which changes of an object count; nil for all.
    ///   - configuration: The realm; nil for that of the environment.
    public init(
      _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
      sortDescriptors: [Strata.SortDescriptor] = [],
      where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>,
      keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
    ) {
      self.init(configuration, keyPaths, sortDescriptors) {
        $0.objects(type)
      } arranged: { results, order in
        order.isEmpty
          ? results.sectioned(by: sectionKeyPath)
          : results.sectioned(by: sectionKeyPath, sortDescriptors: order)
      } _: {
        $0.condition = isIncluded
      }
    }

    /// - Parameters:
    ///   - type: The class.
    ///   - sectionBlock: Gives the key of an object.
    ///   - sortDescriptors: The order, beginning with what the key comes from.
    ///   - filter: A condition.
    ///   - keyPaths: Which changes of an object count; nil for all.
    ///   - configuration: The realm; nil for that of the environment.
    public init(
      _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key,
      sortDescriptors: [Strata.SortDescriptor], filter: NSPredicate? = nil,
      keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
    ) {
      self.init(configuration, keyPaths, sortDescriptors) {
        $0.objects(type)
      } arranged: { results, order in
        results.sectioned(by: sectionBlock, sortDescriptors: order)
      } _: {
        $0.filter = filter
      }
    }

    /// - Parameters:
    ///   - type: The class.
    ///   - sectionBlock: Gives the key of an object.
    ///   - sortDescriptors: The order, beginning with what the key comes from.
    ///   - isIncluded: A condition.
    ///   - keyPaths: Which changes of an object count; nil for all.
    ///   - configuration: The realm; nil for that of the environment.
    public init(
      _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key,
      sortDescriptors: [Strata.SortDescriptor],
      where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>,
      keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
    ) {
      self.init(configuration, keyPaths, sortDescriptors) {
        $0.objects(type)
      } arranged: { results, order in
        results.sectioned(by: sectionBlock, sortDescriptors: order)
      } _: {
        $0.condition = isIncluded
      }
    }
  }
#endif

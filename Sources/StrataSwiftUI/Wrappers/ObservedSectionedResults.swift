#if canImport(SwiftUI)
  public import Foundation
  public import Strata
  public import SwiftUI

  /// The objects of a class in sections, which the view shows and observes.
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
  /// The first descriptor must sort by the property of the section key. Without a descriptor the
  /// key path must be a property. In all other respects it is like `@ObservedResults`.
  @MainActor @propertyWrapper
  public struct ObservedSectionedResults<Key: Hashable, ResultType: RealmCollectionValue>:
    DynamicProperty
  {
    private let given: Realm.Configuration?
    @Environment(\.realmConfiguration) private var ofEnvironment
    @State private var shown: ShownQuery<ResultType, SectionedResults<Key, ResultType>>

    /// The sections, frozen.
    public var wrappedValue: SectionedResults<Key, ResultType> { shown.value(in: configuration) }

    /// The query, and methods to change the objects.
    public var projectedValue: ObservedSectionedResults { self }

    /// The reason why there are no sections, or no newer ones: the realm can't be opened or read.
    public var error: (any Error)? { shown.error(in: configuration) }

    /// A condition; nil for no condition. Setting it replaces ``where``, and updates the sections.
    public var filter: NSPredicate? {
      get { shown.question.filter }
      nonmutating set { shown.ask { ($0.filter, $0.condition) = (newValue, nil) } }
    }

    /// A condition as a closure; nil for no condition. Setting it replaces ``filter``, and updates
    /// the sections.
    public var `where`: ((Query<ResultType>) -> Query<Bool>)? {
      get { shown.question.condition }
      nonmutating set { shown.ask { ($0.filter, $0.condition) = (nil, newValue) } }
    }

    /// The order, beginning with the property of the section key.
    public var sortDescriptors: [Strata.SortDescriptor] {
      get { shown.question.sortDescriptors }
      nonmutating set { shown.ask { $0.sortDescriptors = newValue } }
    }

    private var configuration: Realm.Configuration { given ?? ofEnvironment }

    func search(_ text: String, in keyPath: KeyPath<ResultType, String>)
    where ResultType: ObjectBase {
      shown.search(text, in: keyPath)
    }

    func change(_ change: (Realm) -> Void) {
      shown.change(in: configuration, change)
    }
  }

  extension ObservedSectionedResults where ResultType: _ObjectShowing {
    /// Deletes an object, or the object of a projection, from its realm.
    public func remove(_ object: ResultType) {
      change { _ in Writing.delete(object) }
    }

    /// Deletes the objects at some positions of a section, as passed to `onDelete`.
    public func remove(atOffsets offsets: IndexSet, section: ResultsSection<Key, ResultType>) {
      let objects = offsets.intersection(IndexSet(0..<section.count)).map { section[$0] }
      change { _ in for object in objects { Writing.delete(object) } }
    }
  }

  // Conditions and orders of projections use properties of the projected objects.
  extension ObservedSectionedResults where ResultType: RealmFetchable {
    private init(
      _ configuration: Realm.Configuration?, _ keyPaths: [String]?,
      _ sortDescriptors: [Strata.SortDescriptor], filter: NSPredicate? = nil,
      condition: ((Query<ResultType>) -> Query<Bool>)? = nil,
      arranged:
        @escaping (Results<ResultType>, [Strata.SortDescriptor]) -> SectionedResults<
          Key, ResultType
        >
    ) {
      var question = ShownQuery<ResultType, SectionedResults<Key, ResultType>>.Question(
        objects: { $0.objects(ResultType.self) }, keyPaths: keyPaths, arranged: arranged)
      question.sortDescriptors = sortDescriptors
      question.filter = filter
      question.condition = condition
      given = configuration
      _shown = State(wrappedValue: ShownQuery(question))
    }

    private static func arrangement(
      by keyPath: KeyPath<ResultType, Key>
    ) -> (Results<ResultType>, [Strata.SortDescriptor]) -> SectionedResults<Key, ResultType> {
      { results, order in
        order.isEmpty
          ? results.sectioned(by: keyPath)
          : results.sectioned(by: keyPath, sortDescriptors: order)
      }
    }

    /// Adds an object, or the object of a projection, to the realm. An object of the realm is not
    /// changed.
    public func append(_ object: ResultType) {
      change { Writing.add(object, to: $0) }
    }

    /// - Parameters:
    ///   - type: The class, of objects or of projections.
    ///   - sectionKeyPath: The key of an object's section.
    ///   - sortDescriptors: The order, beginning with the property of the key; empty to sort by the
    ///     key.
    ///   - filter: A condition.
    ///   - keyPaths: The observed properties of an object; nil for all.
    ///   - configuration: The realm; nil for the environment's realm.
    public init(
      _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
      sortDescriptors: [Strata.SortDescriptor] = [], filter: NSPredicate? = nil,
      keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
    ) {
      self.init(
        configuration, keyPaths, sortDescriptors, filter: filter,
        arranged: Self.arrangement(by: sectionKeyPath))
    }

    /// - Parameters:
    ///   - type: The class, of objects or of projections.
    ///   - sectionKeyPath: The key of an object's section.
    ///   - sortDescriptors: The order, beginning with the property of the key; empty to sort by the
    ///     key.
    ///   - isIncluded: A condition.
    ///   - keyPaths: The observed properties of an object; nil for all.
    ///   - configuration: The realm; nil for the environment's realm.
    public init(
      _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
      sortDescriptors: [Strata.SortDescriptor] = [],
      where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>,
      keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
    ) {
      self.init(
        configuration, keyPaths, sortDescriptors, condition: isIncluded,
        arranged: Self.arrangement(by: sectionKeyPath))
    }

    /// - Parameters:
    ///   - type: The class, of objects or of projections.
    ///   - sectionBlock: Returns the key of an object's section.
    ///   - sortDescriptors: The order, beginning with the property of the key.
    ///   - filter: A condition.
    ///   - keyPaths: The observed properties of an object; nil for all.
    ///   - configuration: The realm; nil for the environment's realm.
    public init(
      _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key,
      sortDescriptors: [Strata.SortDescriptor], filter: NSPredicate? = nil,
      keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
    ) {
      self.init(configuration, keyPaths, sortDescriptors, filter: filter) {
        $0.sectioned(by: sectionBlock, sortDescriptors: $1)
      }
    }

    /// - Parameters:
    ///   - type: The class, of objects or of projections.
    ///   - sectionBlock: Returns the key of an object's section.
    ///   - sortDescriptors: The order, beginning with the property of the key.
    ///   - isIncluded: A condition.
    ///   - keyPaths: The observed properties of an object; nil for all.
    ///   - configuration: The realm; nil for the environment's realm.
    public init(
      _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key,
      sortDescriptors: [Strata.SortDescriptor],
      where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>,
      keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
    ) {
      self.init(configuration, keyPaths, sortDescriptors, condition: isIncluded) {
        $0.sectioned(by: sectionBlock, sortDescriptors: $1)
      }
    }
  }
#endif

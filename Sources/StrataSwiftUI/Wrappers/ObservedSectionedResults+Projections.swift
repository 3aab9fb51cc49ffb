#if canImport(SwiftUI)
  public import Foundation
  public import Strata
  import SwiftUI

  extension ObservedSectionedResults where ResultType: ProjectionObservable {
    /// Deletes the object of a projection from its realm.
    public func remove(_ projection: ResultType) {
      change { _ in Writing.delete(projection.rootObject) }
    }

    /// Deletes the objects of the projections at some positions of a section, as passed to
    /// `onDelete`.
    public func remove(atOffsets offsets: IndexSet, section: ResultsSection<Key, ResultType>) {
      let shown = offsets.intersection(IndexSet(0..<section.count)).map { section[$0] }
      change { _ in for projection in shown { Writing.delete(projection.rootObject) } }
    }
  }

  // Conditions and orders use properties of the projected objects.
  extension ObservedSectionedResults
  where ResultType: ProjectionObservable, ResultType.Root: Object {
    /// Adds the object of a projection to the realm. An object of the realm is not changed.
    public func append(_ projection: ResultType) {
      change { realm in
        if projection.rootObject.realm == nil { realm.add(projection.rootObject) }
      }
    }

    /// - Parameters:
    ///   - type: The class of projections.
    ///   - sectionKeyPath: The key of a projection's section.
    ///   - sortDescriptors: The order, beginning with the property of the key; empty to sort by the
    ///     key.
    ///   - filter: A condition.
    ///   - keyPaths: The observed properties; nil for all projected ones.
    ///   - configuration: The realm; nil for the environment's realm.
    public init(
      _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
      sortDescriptors: [Strata.SortDescriptor] = [], filter: NSPredicate? = nil,
      keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
    ) {
      self.init(configuration, keyPaths, sortDescriptors, filter: filter, condition: nil) {
        $0.objects(type)
      } arranged: { results, order in
        order.isEmpty
          ? results.sectioned(by: sectionKeyPath)
          : results.sectioned(by: sectionKeyPath, sortDescriptors: order)
      }
    }

    /// - Parameters:
    ///   - type: The class of projections.
    ///   - sectionKeyPath: The key of a projection's section.
    ///   - sortDescriptors: The order, beginning with the property of the key; empty to sort by the
    ///     key.
    ///   - isIncluded: A condition.
    ///   - keyPaths: The observed properties; nil for all projected ones.
    ///   - configuration: The realm; nil for the environment's realm.
    public init(
      _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
      sortDescriptors: [Strata.SortDescriptor] = [],
      where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>,
      keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
    ) {
      self.init(configuration, keyPaths, sortDescriptors, filter: nil, condition: isIncluded) {
        $0.objects(type)
      } arranged: { results, order in
        order.isEmpty
          ? results.sectioned(by: sectionKeyPath)
          : results.sectioned(by: sectionKeyPath, sortDescriptors: order)
      }
    }

    /// - Parameters:
    ///   - type: The class of projections.
    ///   - sectionBlock: Returns the key of a projection's section.
    ///   - sortDescriptors: The order, beginning with the property of the key.
    ///   - filter: A condition.
    ///   - keyPaths: The observed properties; nil for all projected ones.
    ///   - configuration: The realm; nil for the environment's realm.
    public init(
      _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key,
      sortDescriptors: [Strata.SortDescriptor], filter: NSPredicate? = nil,
      keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
    ) {
      self.init(configuration, keyPaths, sortDescriptors, filter: filter, condition: nil) {
        $0.objects(type)
      } arranged: { results, order in
        results.sectioned(by: sectionBlock, sortDescriptors: order)
      }
    }

    /// - Parameters:
    ///   - type: The class of projections.
    ///   - sectionBlock: Returns the key of a projection's section.
    ///   - sortDescriptors: The order, beginning with the property of the key.
    ///   - isIncluded: A condition.
    ///   - keyPaths: The observed properties; nil for all projected ones.
    ///   - configuration: The realm; nil for the environment's realm.
    public init(
      _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key,
      sortDescriptors: [Strata.SortDescriptor],
      where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>,
      keyPaths: [String]? = nil, configuration: Realm.Configuration? = nil
    ) {
      self.init(configuration, keyPaths, sortDescriptors, filter: nil, condition: isIncluded) {
        $0.objects(type)
      } arranged: { results, order in
        results.sectioned(by: sectionBlock, sortDescriptors: order)
      }
    }
  }
#endif

#if canImport(SwiftUI)
  public import Foundation
  public import Strata
  import SwiftUI

  extension ObservedSectionedResults where ResultType: ProjectionObservable {
    /// Deletes the object of a projection from its realm.
    public func remove(_ projection: ResultType) {
      change { _ in Writing.delete(projection.rootObject) }
    }

    /// Deletes the objects of the projections at some positions of a section, as `onDelete` gives
    /// them.
    public func remove(atOffsets offsets: IndexSet, section: ResultsSection<Key, ResultType>) {
      let shown = offsets.intersection(IndexSet(0..<section.count)).map { section[$0] }
      change { _ in for projection in shown { Writing.delete(projection.rootObject) } }
    }
  }

  // Conditions and orders name properties of the objects that are shown.
  extension ObservedSectionedResults
  where ResultType: ProjectionObservable, ResultType.Root: Object {
    /// Adds the object of a projection to the realm. One of the realm stays as it is.
    public func append(_ projection: ResultType) {
      change { realm in
        if projection.rootObject.realm == nil { realm.add(projection.rootObject) }
      }
    }

    /// - Parameters:
    ///   - type: The class of projections.
    ///   - sectionKeyPath: What the projections of a section have in common.
    ///   - sortDescriptors: The order, beginning with what the key comes from; empty for that of
    ///     the key.
    ///   - filter: A condition.
    ///   - keyPaths: Which changes count; nil for all that is projected.
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
    ///   - type: The class of projections.
    ///   - sectionKeyPath: What the projections of a section have in common.
    ///   - sortDescriptors: The order, beginning with what the key comes from; empty for that of
    ///     the key.
    ///   - isIncluded: A condition.
    ///   - keyPaths: Which changes count; nil for all that is projected.
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
    ///   - type: The class of projections.
    ///   - sectionBlock: Gives the key of a projection.
    ///   - sortDescriptors: The order, beginning with what the key comes from.
    ///   - filter: A condition.
    ///   - keyPaths: Which changes count; nil for all that is projected.
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
    ///   - type: The class of projections.
    ///   - sectionBlock: Gives the key of a projection.
    ///   - sortDescriptors: The order, beginning with what the key comes from.
    ///   - isIncluded: A condition.
    ///   - keyPaths: Which changes count; nil for all that is projected.
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

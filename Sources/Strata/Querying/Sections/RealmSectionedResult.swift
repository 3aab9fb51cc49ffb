import StrataStorage

/// The common part of ``SectionedResults`` and ``ResultsSection``.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, CustomStringConvertible,
  ThreadConfined
where Index == Int {
  /// Whether it can have no elements any more.
  var isInvalidated: Bool { get }
}

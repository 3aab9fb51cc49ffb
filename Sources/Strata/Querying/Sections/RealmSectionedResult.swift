public import Foundation
import StrataStorage

/// What ``SectionedResults`` and ``ResultsSection`` have in common.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, CustomStringConvertible,
  ThreadConfined
where Index == Int {
  /// Whether it can have no elements any more.
  var isInvalidated: Bool { get }
}

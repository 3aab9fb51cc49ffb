import Foundation
import Strata

/// Elements of a list that the user has picked by their positions, which others may have changed
/// before the transaction begins.
@MainActor
struct ShownElements<Element: RealmCollectionValue> {
  private let elements: [(position: Int, element: Element)]
  /// Whether the positions are meant for the list as it is: inside of a transaction of the caller
  /// a view doesn't show what that has changed, and values of any type have nothing to be known by.
  private let areFixed: Bool

  /// - Parameter offsets: Those beyond the end of the list are left out.
  init(_ offsets: IndexSet, of shown: List<Element>) {
    // A list in no realm is what it shows, and can't be thawed.
    let live = shown.realm == nil ? shown : shown.thaw()
    areFixed = live?.realm?.isInWriteTransaction != false || Element.self == AnyRealmValue.self
    let list = areFixed ? live ?? shown : shown
    elements = offsets.intersection(IndexSet(list.indices)).map { ($0, list[$0]) }
  }

  /// Where the elements are now: at their positions, or else where an equal one is nearest. Those
  /// that are gone are left out.
  func positions(in list: List<Element>) -> IndexSet {
    guard !areFixed else {
      return IndexSet(elements.map(\.position)).intersection(IndexSet(list.indices))
    }
    var found = IndexSet()
    for (position, shown) in elements {
      let element = Writing.live(shown)
      if position < list.count, list[position] == element, found.insert(position).inserted {
        continue
      }
      let others = list.indices.filter { !found.contains($0) && list[$0] == element }
      if let nearest = others.min(by: { abs($0 - position) < abs($1 - position) }) {
        found.insert(nearest)
      }
    }
    return found
  }
}

import Foundation
import Strata

/// The elements of a list that the user has selected by their positions. The list may change
/// elsewhere before the transaction begins.
@MainActor
struct ShownElements<Element: RealmCollectionValue> {
  private let elements: [(position: Int, element: Element)]
  /// Whether the positions apply to the present list. Inside the caller's transaction, a view
  /// doesn't show the transaction's changes. Values of any type can't be identified.
  private let areFixed: Bool

  /// - Parameter offsets: The positions. Positions after the end of the list are ignored.
  init(_ offsets: IndexSet, of shown: List<Element>) {
    // An unmanaged list has no snapshots, and can't be thawed.
    let live = shown.realm == nil ? shown : shown.thaw()
    areFixed = live?.realm?.isInWriteTransaction != false || Element.self == AnyRealmValue.self
    let list = areFixed ? live ?? shown : shown
    elements = offsets.intersection(IndexSet(list.indices)).map { ($0, list[$0]) }
  }

  /// Returns the present positions of the elements: their old positions, or else the nearest equal
  /// element. Removed elements are left out.
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

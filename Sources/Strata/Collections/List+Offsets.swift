public import Foundation

/// What lists on a screen call when rows are deleted and moved.
extension List {
  /// Removes the elements at some positions.
  public func remove(atOffsets offsets: IndexSet) {
    for range in offsets.rangeView.reversed() { removeSubrange(range) }
  }

  /// Moves the elements at some positions before the one that is at another position now.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    var target = destination
    for source in offsets.reversed() where source < destination {
      target -= 1
      move(from: source, to: target)
    }
    target = destination
    for source in offsets where source >= destination {
      move(from: source, to: target)
      target += 1
    }
  }
}

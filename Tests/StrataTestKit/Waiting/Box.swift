import Foundation

/// A value that a migration block, which may run on any thread, can change.
package final class Box<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  package init(_ value: Value) {
    stored = value
  }

  package var value: Value {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }
}

extension Box where Value: RangeReplaceableCollection {
  package func append(_ element: Value.Element) {
    lock.withLock { stored.append(element) }
  }
}

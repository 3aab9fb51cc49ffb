/// A value of one place on its way through other threads, which don't look into it.
package struct PlaceBound<Value>: @unchecked Sendable {
  // guarded by: the place, which alone uses the value.
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }
}

/// A weak reference to an object of one place, which any thread may keep and compare.
package struct WeakReference<Object: AnyObject>: @unchecked Sendable {
  // guarded by: the runtime, which reads weak references atomically; never set again. The object
  // itself is used by its place.
  package private(set) weak var object: Object?

  package init(_ object: Object) {
    self.object = object
  }
}

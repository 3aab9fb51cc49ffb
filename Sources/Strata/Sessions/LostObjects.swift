import StrataStorage

/// The objects that a transaction made unusable, as long as the program holds them: they can be
/// used again when it is taken back.
struct LostObjects {
  private struct Lost {
    weak var object: ObjectBase?
    var state: UInt8
    /// Weak: the context keeps the transaction.
    weak var context: ManagedContext?
  }

  private var objects: [Lost] = []

  /// Notes an object that is about to become unusable.
  mutating func note(_ object: ObjectBase) {
    guard let context = object._context else { return }
    // A loop that deletes lets go of each object at once.
    if WeakHolder.isTimeToForget(objects.count) { objects.removeAll { $0.object == nil } }
    objects.append(Lost(object: object, state: object._state, context: context))
  }

  /// Makes the objects what they were, but for those that the transaction has made.
  func restore(unless isNew: (ObjectBase) -> Bool) {
    for lost in objects {
      guard let object = lost.object, let context = lost.context, !isNew(object) else { continue }
      object._state = lost.state
      object._context = context
      // It is read again.
      object._stamp = 0
    }
  }
}

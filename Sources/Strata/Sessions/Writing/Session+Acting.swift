import StrataStorage

/// Support for two sessions at one place: a task's own, and the session of an actor whose method
/// the task runs.
extension Session {
  /// The session whose transaction the caller is in: this one, or another one of the store.
  ///
  /// In a transaction of an actor, objects of the task's own realm can be changed, too.
  var acting: Session {
    if transaction != nil || view.isFrozen { return self }
    if let writing = store.writer.queue.session(at: .current) { return writing }
    if looksOld { lookAsBefore() }
    return self
  }

  /// The session that reads for this one: another session while it writes at the same place. Asking
  /// the write queue each time would take an eighth of `results[i]`.
  var reader: Session { looksOld ? acting : self }

  /// Makes all objects stale, because another session of this place begins to write.
  func lookOld() {
    guard transaction == nil, !isShared else { return }
    looksOld = true
    clock = StampClock(startingAt: WriteTransaction.timeBeforeAll)
  }

  /// Called when the other session has ended its transaction, or the task has left its place.
  func lookAsBefore() {
    looksOld = false
    clock = viewClock
  }
}

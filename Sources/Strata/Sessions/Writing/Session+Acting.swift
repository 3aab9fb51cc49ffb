import StrataStorage

/// Two sessions at one place: that of a task, and that of the actor whose method it is in.
extension Session {
  /// The session whose transaction the caller is in: this one, or another one of the store.
  ///
  /// In a transaction of an actor the objects of the task's own realm can be changed, too.
  var acting: Session {
    if transaction != nil || view.isFrozen { return self }
    if let writing = store.writer.queue.session(at: .current) { return writing }
    if looksOld { lookAsBefore() }
    return self
  }

  /// The session that reads for this one: another one while that writes at the same place. To ask
  /// each time who writes would take an eighth of `results[i]`.
  var reader: Session { looksOld ? acting : self }

  /// Has all objects read again: another session of this place begins to write.
  func lookOld() {
    guard transaction == nil, !isShared else { return }
    looksOld = true
    clock = StampClock(startingAt: WriteTransaction.timeBeforeAll)
  }

  /// The other session has ended its transaction, or the task has left its place.
  func lookAsBefore() {
    looksOld = false
    clock = viewClock
  }
}

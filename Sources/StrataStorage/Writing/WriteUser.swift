/// A caller of the ``WriteQueue``: for `Strata`, a session.
///
/// It belongs to its place. Other threads compare it, and call what is required here.
package protocol WriteUser: AnyObject {
  var place: Place { get }
  /// Whether somebody can still come back to it.
  var isHeld: Bool { get }
  /// Rolls back its transaction, which others have taken away, from another thread.
  func rollBackAbandoned(from place: Place, because reason: String)
}

/// A reference to a user on its way through other threads.
package struct WriteUserReference: @unchecked Sendable, Equatable {
  // guarded by: the place of the user; other threads use no more than the protocol's requirements.
  package let user: any WriteUser

  package init(_ user: any WriteUser) {
    self.user = user
  }

  package static func == (one: WriteUserReference, other: WriteUserReference) -> Bool {
    one.user === other.user
  }

  var place: Place { user.place }
  var isHeld: Bool { user.isHeld }
}

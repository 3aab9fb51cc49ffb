public import Strata

/// A value that a view can show and observe: an object, a collection, sections, or a projection.
///
/// The types of Strata conform. Other types need not.
public protocol RealmSubscribable: ThreadConfined {
  /// Calls a closure after each change, in the realm's isolation.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the observed properties; nil for all.
  ///   - news: The closure.
  func _subscribe(_ keyPaths: [String]?, _ news: @escaping (_Subscription) -> Void)
    -> NotificationToken

  /// Whether both are the same in the file, frozen or not.
  func _isSame(as other: Self) -> Bool
}

/// The event of a subscription.
public enum _Subscription {
  /// The first call, if the type has one. Earlier commits are not reported.
  case initial
  /// The value has changed.
  case changed
  /// The value can't be read any more. This is the last call.
  case failed(any Error)
}

extension ObjectBase: RealmSubscribable {
  public func _subscribe(
    _ keyPaths: [String]?, _ news: @escaping (_Subscription) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths) { change in
      if case .error(let error) = change { news(.failed(error)) } else { news(.changed) }
    }
  }

  public func _isSame(as other: ObjectBase) -> Bool { isSameObject(as: other) }
}

extension Projection: RealmSubscribable {
  public func _subscribe(
    _ keyPaths: [String]?, _ news: @escaping (_Subscription) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths) { change in
      if case .error(let error) = change { news(.failed(error)) } else { news(.changed) }
    }
  }

  public func _isSame(as other: Projection) -> Bool { self == other }
}

extension RealmSubscribable where Self: RealmCollection {
  public func _subscribe(
    _ keyPaths: [String]?, _ news: @escaping (_Subscription) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths) { change in
      switch change {
      case .initial: news(.initial)
      case .update: news(.changed)
      case .error(let error): news(.failed(error))
      }
    }
  }
}

extension List: RealmSubscribable {
  public func _isSame(as other: List) -> Bool { self == other }
}

extension MutableSet: RealmSubscribable {
  public func _isSame(as other: MutableSet) -> Bool { self == other }
}

extension Map: RealmSubscribable {
  public func _subscribe(
    _ keyPaths: [String]?, _ news: @escaping (_Subscription) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths) { change in
      switch change {
      case .initial: news(.initial)
      case .update: news(.changed)
      case .error(let error): news(.failed(error))
      }
    }
  }

  public func _isSame(as other: Map) -> Bool { self == other }
}

// Queries can't be compared, so another query is always observed as a new one.

extension Results: RealmSubscribable {
  public func _isSame(as other: Results) -> Bool { false }
}

extension LinkingObjects: RealmSubscribable {
  public func _isSame(as other: LinkingObjects) -> Bool { false }
}

extension SectionedResults: RealmSubscribable {
  public func _subscribe(
    _ keyPaths: [String]?, _ news: @escaping (_Subscription) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths) { change in
      switch change {
      case .initial: news(.initial)
      case .update: news(.changed)
      }
    }
  }

  public func _isSame(as other: SectionedResults) -> Bool { false }
}

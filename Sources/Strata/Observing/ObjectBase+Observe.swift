public import Dispatch
import IssueReporting
import StrataStorage

extension _ObjectShowing {
  /// Calls a closure after each change of the object's own properties, collections included. A
  /// projection reports the changes of its projected properties.
  ///
  /// Setting a property counts as a change, also to its current value. Changes of linked objects
  /// count only if key paths name them. `deleted` is the last call. See `observe` of collections
  /// for where and when the closure is called.
  ///
  /// ```swift
  /// let token = person.observe { change in
  ///   switch change {
  ///   case .change(let person, let properties):
  ///     for property in properties { print(property.name, property.newValue ?? "nil") }
  ///   case .deleted: print("gone")
  ///   case .error(let error): print(error)
  ///   }
  /// }
  /// ```
  /// A projection has the old value of a property only if the property depends on the object's own
  /// columns alone: not for collections, and not for values behind a link. A value that is computed
  /// from a collection changes with the collection; for `projectTo`, changes of its objects count,
  /// too.
  /// - Parameters:
  ///   - keyPaths: The names of the properties to observe, with dots through links; nil for all own
  ///     properties. For a projection, the names of its properties, or of the properties that they
  ///     show; nil, or an empty array, for all.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the isolation of this realm.
  ///   - block: The closure.
  /// - Returns: A token. Keep it as long as the closure is to be called. An unmanaged, frozen or
  ///   read-only object and an invalid key path are reported through `IssueReporting`; the token is
  ///   inactive then.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    changes(keyPaths: keyPaths).observe(on: ObservationTarget(queue), block)
  }

  /// Calls a closure after each change of the given properties.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    guard let names = Self._observedNames(of: keyPaths, inCollection: false) else {
      return NotificationToken()
    }
    return changes(keyPaths: names).observe(on: ObservationTarget(queue), block)
  }

  /// Calls a closure on an actor after each change of the object or projection.
  ///
  /// All commits after the method returns are observed. If the task is already canceled, the token
  /// is inactive.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    changes(keyPaths: keyPaths).observe(on: actor, block)
  }

  /// Calls a closure on an actor after each change of the given properties.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    guard let names = Self._observedNames(of: keyPaths, inCollection: false) else {
      return NotificationToken()
    }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }

  /// Returns a sequence of the object's or the projection's changes, which ends after `deleted`.
  ///
  /// - Parameter keyPaths: The properties to observe, as for `observe`; nil for all own properties.
  public func changes(keyPaths: [String]? = nil) -> ChangeSequence<ObjectChange<Self>> {
    ChangeSequence { () throws(RealmError) in
      let observation = try self._observation(keyPaths)
      return ObservationStart(
        session: observation.session, source: observation.source, hasInitial: false
      ) { change, session in
        switch change {
        case .properties(let changed, let old, let new):
          guard let (shown, changes) = observation.read(changed, old, new, session),
            let shown = shown as? Self
          else { return .deleted }
          return .change(shown, changes)
        case .deleted: return .deleted
        case .failed(let error): return .error(error)
        case .initial, .elements, .entries, .touched: return nil
        }
      }
    }
  }
}

extension ObjectBase {
  /// Calls a closure after each change of the object, typed as a superclass. Like
  /// `observe(keyPaths:on:_:)`, for code that doesn't know the object's class.
  ///
  /// ```swift
  /// let token = object.observe { (change: ObjectChange<ObjectBase>) in print(change) }
  /// ```
  /// An object of another class is reported through `IssueReporting`; the token is inactive then.
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    guard self is T else {
      reportIssue(
        "An object of '\(type(of: self))' can't be observed as one of '\(T.self)'. Name its class, or a "
          + "superclass.")
      return NotificationToken()
    }
    return observe(keyPaths: keyPaths, on: queue) { change in
      switch change {
      case .change(let object, let properties):
        if let object = object as? T { block(.change(object, properties)) }
      case .deleted: block(.deleted)
      case .error(let error): block(.error(error))
      }
    }
  }

  /// Calls a closure after each change of the given properties of the object, typed as a
  /// superclass.
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    guard let names = observableNames(of: keyPaths) else { return NotificationToken() }
    return observe(keyPaths: names, on: queue, block)
  }
}

extension ObjectBase {
  public static func _observedNames(of keyPaths: [AnyKeyPath], inCollection: Bool) -> [String]? {
    observableNames(of: keyPaths.compactMap { $0 as? PartialKeyPath<Self> })
  }

  public func _observation(_ keyPaths: [String]?) throws(RealmError) -> _ObjectObservation {
    let (session, table) = try observed()
    return _ObjectObservation(session: session) { () throws(RealmError) in
      try ObjectSource(
        table, row: self._rowID, session.store.tableSet, keyPaths: keyPaths)
    } read: { changed, old, new, other in
      guard let shown = self.shown(in: other, insteadOf: session, table) else { return nil }
      let changes: [PropertyChange] = changed.compactMap { name in
        guard case .property(let slot) = name else { return nil }
        return table.propertyChange(slot, old, new, other)
      }
      return (shown, changes)
    }
  }

  /// Returns the session and the table of the object.
  ///
  /// - Throws: ``RealmError`` for an unmanaged object.
  func observed() throws(RealmError) -> (session: Session, table: Table) {
    guard let session = managedContext as? Session, !isInvalidated,
      let table = session.store.table(type(of: self))
    else { throw RealmError(.fail, ErrorText.unmanagedObjectNotifications) }
    return (session, table)
  }

  /// Returns the object as a session of its file shows it; nil if the object was deleted there.
  func shown(in session: Session, insteadOf own: Session, _ table: Table) -> ObjectBase? {
    session === own ? self : session.objectIfReadable(row: _rowID, in: table)
  }
}

extension Table {
  fileprivate func propertyChange(
    _ slot: _PropertySlot, _ old: [StoredValue], _ new: [StoredValue], _ session: Session
  ) -> PropertyChange {
    PropertyChange(
      name: info.properties[slot].name, oldValue: boxedNumber(value(slot, old, session)),
      newValue: boxedNumber(value(slot, new, session)))
  }

  /// Returns the value of a property, given the columns of a row, as dynamic access shows it; nil
  /// for collections.
  func value(_ slot: _PropertySlot, _ columns: [StoredValue], _ session: Session) -> Any? {
    guard !info.slots.columns(of: slot).isEmpty else { return nil }
    let property = info.properties[slot]
    let first = Int(info.slots.column(of: slot))
    switch property.type {
    case .object:
      guard let row = columns[first].integer, let name = property.objectClassName else {
        return nil
      }
      return session.linkedObject(className: name, row: row)
    case .any:
      let element = _StoredElement(columns[first], type: columns[first + 1].text)
      if let name = element.linkedClassName, let row = element.value.integer {
        return session.linkedObject(className: name, row: row)
      }
      return AnyRealmValue(element)?.rawValue
    default: return property.dynamicValue(columns[first]) ?? nil
    }
  }
}

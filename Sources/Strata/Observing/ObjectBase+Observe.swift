public import Dispatch
import IssueReporting
import StrataStorage

/// Objects, which can be observed with their own type.
public protocol _ObservableObject: ObjectBase {}

extension ObjectBase: _ObservableObject {}

extension _ObservableObject {
  /// Calls a closure after each change of the object's own properties, collections included.
  ///
  /// A property that was set counts, also to the value that it had. Changes of objects that it
  /// leads to don't, unless key paths say so. After `deleted` no call comes. Where the closure is
  /// called, and when: see `observe` of collections.
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
  /// - Parameters:
  ///   - keyPaths: What counts: names of properties, with dots through links; nil for all own ones.
  ///   - queue: A serial queue, which gets a realm of its own; nil for the place of this realm.
  ///   - block: The closure.
  /// - Returns: A token, which must be kept as long as the closure is to be called. An object in no
  ///   realm, a frozen or read-only one, and a key path that leads nowhere are reported through
  ///   `IssueReporting`, and the token is inactive.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, ObservationTarget(queue), block)
  }

  /// Calls a closure after each change of some properties of the object.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    guard let names = observableNames(of: keyPaths) else { return NotificationToken() }
    return observe(names, ObservationTarget(queue), block)
  }

  /// Calls a closure on an actor after each change of the object.
  ///
  /// When the method returns, each later commit is noticed. For a task that was cancelled the token
  /// is inactive.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    guard !Task.isCancelled else { return NotificationToken() }
    let call = ActorCall(actor, block)
    return observe(keyPaths, .actor(actor)) { call($0) }
  }

  /// Calls a closure on an actor after each change of some properties of the object.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    guard let names = observableNames(of: keyPaths) else { return NotificationToken() }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }

  private func observe(
    _ keyPaths: [String]?, _ target: ObservationTarget,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    guard let observed = observed() else {
      reportIssue("\(ErrorText.unmanagedObjectNotifications)")
      return NotificationToken()
    }
    return observed.session.observe(target, hasInitial: false) { () throws(RealmError) in
      try observed.source(keyPaths)
    } _: { change, session in
      if let change = observed.translate(change, session) { block(change) }
    }
  }

  /// What an observation needs; nil for an object in no file.
  func observed() -> ObservedInstance<Self>? {
    guard let session = managedContext as? Session, !isInvalidated,
      let table = session.store.table(type(of: self))
    else { return nil }
    return ObservedInstance(object: self, session: session, table: table)
  }
}

extension ObjectBase {
  /// Calls a closure after each change of the object, with a superclass of its own: as
  /// `observe(keyPaths:on:_:)`, for code that doesn't know the class.
  ///
  /// ```swift
  /// let token = object.observe { (change: ObjectChange<ObjectBase>) in print(change) }
  /// ```
  /// An object of another class is reported, and the token is inactive.
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

  /// Calls a closure after each change of some properties of the object, with a superclass of its
  /// own.
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    guard let names = observableNames(of: keyPaths) else { return NotificationToken() }
    return observe(keyPaths: names, on: queue, block)
  }
}

/// An object in a file, as an observation of it needs it.
struct ObservedInstance<Observed: ObjectBase> {
  let object: Observed
  let session: Session
  let table: Table

  func source(_ keyPaths: [String]?) throws(RealmError) -> any ObservationSource {
    try ObjectSource(
      table, row: object._rowID, session.store.tableSet, keyPaths: keyPaths)
  }

  /// Makes what the user hears of what was found.
  func translate(_ change: SourceChange, _ session: Session) -> ObjectChange<Observed>? {
    switch change {
    case .properties(let changed, let old, let new):
      guard let shown = shown(in: session) else { return .deleted }
      let changes: [PropertyChange] = changed.compactMap { name in
        guard case .property(let slot) = name else { return nil }
        return table.propertyChange(slot, old, new, session)
      }
      return .change(shown, changes)
    case .deleted: return .deleted
    case .failed(let error): return .error(error)
    case .initial, .elements, .entries, .touched: return nil
    }
  }

  /// The object as a session shows it; nil when it is gone there.
  func shown(in session: Session) -> Observed? {
    if session === self.session { return object }
    return session.objectIfReadable(row: object._rowID, in: table) as? Observed
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

  /// A property of some columns, as dynamic access shows it; nil for collections.
  func value(_ slot: _PropertySlot, _ columns: [StoredValue], _ session: Session) -> Any? {
    guard info.accessors[slot].columns > 0 else { return nil }
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

extension StoredValue {
  fileprivate var text: String? {
    if case .text(let text) = self { text } else { nil }
  }
}

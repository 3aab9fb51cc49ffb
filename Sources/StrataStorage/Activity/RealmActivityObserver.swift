/// An observer of what the library does with a file: for metrics, traces and logs.
///
/// It is set in `Realm.Configuration.observers`. Those with which a file was opened first in the
/// process hear of all its realms, until the file is closed.
///
/// An observer is called on the thread that does the work, before and after it, from many threads
/// at once, and sometimes while others wait: it must return at once, and must not use realms. Each
/// method has a default that does nothing.
///
/// ```swift
/// struct SlowWrites: RealmActivityObserver {
///   func didEnd(
///     _ activity: RealmActivity, _ result: RealmActivityResult, _ begun: (any Sendable)?
///   ) {
///     guard activity.kind == .write, result.duration > .seconds(1) else { return }
///     print("\(activity.file) is slow")
///   }
/// }
/// configuration.observers = [SlowWrites()]
/// ```
public protocol RealmActivityObserver: Sendable {
  /// The observer isn't told of queries that took less: 100 ms, unless it says otherwise. With
  /// `.zero` it hears of each query. Reading the properties of an object is never a query.
  var slowQueryThreshold: Duration { get }

  /// Is asked, in the task of a caller, for what activities are to have as
  /// ``RealmActivity/outer`` that the library begins for it on a queue of its own: the span of the
  /// caller, for example. It is asked when a file is opened.
  func callerContext() -> (any Sendable)?

  /// Hears that something begins.
  ///
  /// Not called for a query and for waiting to write, which are told when they are over.
  /// - Returns: What `didEnd` is to get, and the activities that are a part of this one
  ///   as ``RealmActivity/outer``: a span, for example.
  func willBegin(_ activity: RealmActivity) -> (any Sendable)?

  /// Hears that something is over: that it was done, that it failed, or that it was given up.
  ///
  /// - Parameters:
  ///   - activity: What was done.
  ///   - result: How it went.
  ///   - begun: What `willBegin` returned.
  func didEnd(_ activity: RealmActivity, _ result: RealmActivityResult, _ begun: (any Sendable)?)

  /// Hears once a second how a file is, while it is open. Called on a queue of the library.
  func sample(_ status: RealmFileStatus)
}

extension RealmActivityObserver {
  public var slowQueryThreshold: Duration { .milliseconds(100) }

  public func callerContext() -> (any Sendable)? { nil }

  public func willBegin(_ activity: RealmActivity) -> (any Sendable)? { nil }

  public func didEnd(
    _ activity: RealmActivity, _ result: RealmActivityResult, _ begun: (any Sendable)?
  ) {}

  public func sample(_ status: RealmFileStatus) {}
}

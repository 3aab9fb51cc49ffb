import StrataStorage

/// The common part of all classes of projections.
public protocol ProjectionObservable: AnyObject, ThreadConfined {
  /// The class of the objects that are shown.
  associatedtype Root: ObjectBase

  /// The object that is shown.
  var rootObject: Root { get }

  /// Makes a projection of an object.
  init(projecting object: Root)
}

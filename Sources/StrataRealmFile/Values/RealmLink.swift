/// The content of a link: the class of an object, and its key.
public struct RealmLink: Sendable, Hashable {
  public var className: String
  /// The key of the object, which is unique in its class.
  public var objectKey: Int64

  public init(className: String, objectKey: Int64) {
    self.className = className
    self.objectKey = objectKey
  }
}

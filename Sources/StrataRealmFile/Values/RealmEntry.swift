/// A key and a value of a dictionary.
public struct RealmEntry: Sendable, Hashable {
  public var key: String
  public var value: RealmValue

  public init(key: String, value: RealmValue) {
    self.key = key
    self.value = value
  }
}

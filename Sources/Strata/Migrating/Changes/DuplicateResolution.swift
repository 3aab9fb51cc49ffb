/// The result of ``Migration/resolveDuplicates(ofType:property:keeping:)``.
public struct DuplicateResolution: Sendable, Hashable {
  /// A value that several objects had.
  public struct Group: Sendable, Hashable {
    /// The value, as the file has it.
    public internal(set) var value: StoredValue
    /// The identity of the object that stayed.
    public internal(set) var survivor: Int64
    /// The identities of the objects that were deleted, the first ``DuplicateResolution/limit``.
    public internal(set) var removed: [Int64]
  }

  /// The number of groups that ``groups`` lists at most, and of objects that a group lists.
  public static let limit = 100

  /// The number of values that several objects had.
  public internal(set) var groupCount = 0
  /// The number of objects that were deleted.
  public internal(set) var removedCount = 0
  /// The number of links that lead to another object now.
  public internal(set) var movedLinkCount = 0
  /// The values and their objects, in the order of their first objects: the first ``limit``.
  public internal(set) var groups: [Group] = []
}

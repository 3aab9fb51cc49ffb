/// Objects that were read before they were asked for: those behind the last ones, for programs that
/// go through results by position.
///
/// As long as nothing is committed or changed. It looks ahead as far as the program followed it,
/// and no farther than some objects: reading one alone takes four times as long as in a row.
struct ObjectWindow {
  private var objects: ObjectBatch?
  private var first = 0
  private var moment: RowList.Moment?
  private var length = 1

  private static let longest = 128

  /// The object at a position: nil when it isn't among those that were read, or they may have
  /// changed since.
  func object(at position: Int, _ now: RowList.Moment) -> ObjectBase? {
    guard moment == now, let objects else { return nil }
    let index = position - first
    return index >= 0 && index < objects.count ? objects[index] : nil
  }

  /// The positions to read when one isn't there.
  mutating func positions(from position: Int, _ now: RowList.Moment) -> Range<Int> {
    let follows = position == first + (objects?.count ?? 0) && moment == now
    length = follows ? min(length * 2, Self.longest) : 1
    return position..<position + length
  }

  /// Gives up the objects, which may be used again for the next ones.
  mutating func takeObjects() -> ObjectBatch? {
    defer { objects = nil }
    return objects
  }

  /// Keeps other objects, and gives up those before.
  mutating func exchange(
    _ objects: inout ObjectBatch?, from position: Int, _ moment: RowList.Moment
  ) {
    swap(&self.objects, &objects)
    first = position
    self.moment = moment
  }
}

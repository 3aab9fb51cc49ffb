import Foundation

/// Objects that were read before they were asked for: those behind the last ones, for programs that
/// go through results by position.
///
/// As long as nothing is committed or changed. It looks ahead as far as the program followed it,
/// and no farther than some objects: reading one alone takes four times as long as in a row.
final class ObjectWindow {
  // Several threads may read frozen results.
  private let lock = NSLock()
  private var objects: [ObjectBase?] = []
  private var first = 0
  private var stamp: UInt64 = 0
  private var length = 1

  private static let longest = 128

  /// The object at a position: nil when it isn't among those that were read, or they may have
  /// changed since.
  func object(at position: Int, _ now: UInt64) -> ObjectBase?? {
    lock.withLock {
      let index = position - first
      return stamp == now && objects.indices.contains(index) ? .some(objects[index]) : nil
    }
  }

  /// The positions to read when one isn't there.
  func positions(from position: Int, _ now: UInt64) -> Range<Int> {
    lock.withLock {
      let follows = position == first + objects.count && stamp == now
      length = follows ? min(length * 2, Self.longest) : 1
      return position..<position + length
    }
  }

  func keep(_ objects: [ObjectBase?], from position: Int, _ stamp: UInt64) {
    lock.withLock {
      self.objects = objects
      first = position
      self.stamp = stamp
    }
  }
}

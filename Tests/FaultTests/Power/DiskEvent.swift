import Foundation

/// A change of a disk, as the recorder of `CFaultHooks` writes it.
enum DiskEvent {
  typealias Inode = UInt64

  case create(String, Inode)
  case makeFolder(String, Inode)
  case write(Inode, at: Int, ArraySlice<UInt8>)
  case truncate(Inode, to: Int)
  case synchronize(Inode)
  case rename(String, to: String)
  case link(Inode, as: String)
  case unlink(String)
  /// A promise of the program.
  case mark(String)

  /// The error for bytes that are no recording.
  struct Unreadable: Error {
    var offset: Int
  }

  /// Reads a recording. Paths are relative to the recorded folder.
  static func read(_ recording: Data) throws -> [DiskEvent] {
    let bytes = [UInt8](recording)
    var events: [DiskEvent] = []
    var place = 0
    while place < bytes.count {
      let head = place
      guard bytes.count - head >= Head.size else { throw Unreadable(offset: head) }
      let parts = bytes.withUnsafeBytes { Head($0, head) }
      place += Head.size
      func take(_ count: UInt32) throws -> ArraySlice<UInt8> {
        guard place + Int(count) <= bytes.count else { throw Unreadable(offset: place) }
        defer { place += Int(count) }
        return bytes[place..<place + Int(count)]
      }
      let path = String(decoding: try take(parts.pathLength), as: UTF8.self)
      let other = String(decoding: try take(parts.otherLength), as: UTF8.self)
      let content = try take(parts.count)
      guard let event = DiskEvent(parts, path, other, content) else {
        throw Unreadable(offset: head)
      }
      events.append(event)
    }
    return events
  }

  private struct Head {
    static let size = 32
    let kind, pathLength, otherLength, count: UInt32
    let inode: UInt64
    let offset: Int64

    init(_ bytes: UnsafeRawBufferPointer, _ place: Int) {
      func load<Number>(_ offset: Int, _: Number.Type = Number.self) -> Number {
        bytes.loadUnaligned(fromByteOffset: place + offset, as: Number.self)
      }
      (kind, pathLength, otherLength, count) = (load(0), load(4), load(8), load(12))
      (inode, offset) = (load(16), load(24))
    }
  }

  /// The cases in the order of `fault_disk_event`.
  private init?(_ head: Head, _ path: String, _ other: String, _ content: ArraySlice<UInt8>) {
    switch head.kind {
    case 0: self = .create(path, head.inode)
    case 1: self = .makeFolder(path, head.inode)
    case 2: self = .write(head.inode, at: Int(head.offset), content)
    case 3: self = .truncate(head.inode, to: Int(head.offset))
    case 4: self = .synchronize(head.inode)
    case 5: self = .rename(path, to: other)
    case 6: self = .link(head.inode, as: path)
    case 7: self = .unlink(path)
    case 8: self = .mark(path)
    default: return nil
    }
  }
}

@testable import StrataStudio

/// Requests to the studio, up to their JSON.
enum Requests {
  private struct Message: Equatable {
    var head: RequestHead
    var body: [UInt8]
  }

  static func check(_ bytes: [UInt8]) {
    let message = read(bytes, piece: max(bytes.count, 1))
    // A socket brings any number of bytes at a time.
    require(message == read(bytes, piece: 1), "read byte by byte")
    guard case .success(let message?) = message else { return }
    let request = Request(message.head, body: .bytes(message.body))
    for name in ["limit", "at", "from"] { _ = try? request.integer(name, in: 0...100) }
    guard let value = try? request.json() else { return }
    require((try? JSONReader.read(value.bytes))?.bytes == value.bytes, "written again")
    let indented = Array(value.indented.utf8)
    require((try? JSONReader.read(indented))?.bytes == value.bytes, "indented")
  }

  /// Returns the head and the bytes behind it; nil for an unfinished head.
  private static func read(
    _ bytes: [UInt8], piece: Int
  ) -> Result<Message?, RequestFailure> {
    Result { () throws(RequestFailure) in
      var reader = RequestHeadReader(StudioLimits())
      for start in stride(from: 0, to: bytes.count, by: piece) {
        let end = min(start + piece, bytes.count)
        if let (head, rest) = try reader.read(bytes[start..<end]) {
          return Message(head: head, body: Array(rest) + bytes[end...])
        }
      }
      return nil
    }
  }
}

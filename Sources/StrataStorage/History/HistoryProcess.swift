import Foundation

/// The name under which this process is noted in a history: `orders-server[4711]@host1`.
enum HistoryProcess {
  static let name: String = {
    let process = ProcessInfo.processInfo
    return "\(process.processName)[\(process.processIdentifier)]@\(host)"
  }()

  /// Without asking a name server, as `ProcessInfo` does.
  private static var host: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, gethostname(start, buffer.count) == 0 else {
        return "unknown"
      }
      // A name that is too long may lack its end.
      buffer[buffer.count - 1] = 0
      return String(cString: start)
    }
  }
}

/// The limits of what a client may send, and of how long the studio waits for it.
///
/// The defaults are those of the command. Tests wait for less.
package struct StudioLimits: Sendable, Hashable {
  /// The longest head of a request, with all of its lines, in bytes.
  package var headBytes = 16 << 10
  /// The longest path with its query, in bytes.
  package var targetBytes = 8 << 10
  /// The most headers of a request.
  package var headers = 100
  /// The largest JSON of a request, in bytes.
  package var jsonBytes = 1 << 20
  /// The largest file that is uploaded, in bytes.
  package var fileBytes = 256 << 20
  /// The most connections at a time.
  package var connections = 64
  /// The time from the first byte of a head to its last.
  package var headTime: Duration = .seconds(5)
  /// The time for a body of JSON, and the longest pause within a file that is uploaded.
  package var bodyTime: Duration = .seconds(30)
  /// The time that a connection may wait for its next request, and a response for a client that
  /// doesn't take it.
  package var idleTime: Duration = .seconds(60)
  /// The time that requests have for their responses when the studio ends.
  package var endTime: Duration = .milliseconds(500)

  package init() {}
}

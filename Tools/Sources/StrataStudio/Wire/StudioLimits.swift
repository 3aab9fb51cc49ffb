/// The limits of requests, and the timeouts of the studio.
///
/// The command uses the defaults. Tests use shorter times.
package struct StudioLimits: Sendable, Hashable {
  /// The maximum size of a request's head in bytes.
  package var headBytes = 16 << 10
  /// The maximum length of the path with its query in bytes.
  package var targetBytes = 8 << 10
  /// The maximum number of headers in a request.
  package var headers = 100
  /// The maximum size of a JSON body in bytes.
  package var jsonBytes = 1 << 20
  /// The maximum size of an uploaded file in bytes.
  package var fileBytes = 256 << 20
  /// The maximum number of simultaneous connections.
  package var connections = 64
  /// The time from the first to the last byte of a head.
  package var headTime: Duration = .seconds(5)
  /// The time limit for a JSON body, and for a pause within an upload.
  package var bodyTime: Duration = .seconds(30)
  /// The time that a connection may be idle, and that a client may accept none of a response.
  package var idleTime: Duration = .seconds(60)
  /// The time for running requests to finish when the studio ends.
  package var endTime: Duration = .milliseconds(500)

  package init() {}
}

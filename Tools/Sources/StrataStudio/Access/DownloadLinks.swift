/// Download links, each valid once and for half a minute. A browser that saves a file can't send
/// the key.
struct DownloadLinks: Sendable {
  private var links: [Link] = []

  private struct Link {
    let secret: Secret
    let end: ContinuousClock.Instant
    let response: @Sendable () -> Response
  }

  /// The time until a link expires.
  static let time: Duration = .seconds(30)
  /// The maximum number of links; beyond it, the oldest one is dropped.
  static let maxCount = 100

  /// Creates a link, and returns its path, such as `/download/5f0c…`.
  mutating func add(
    _ response: @escaping @Sendable () -> Response, at time: ContinuousClock.Instant,
    using random: inout some RandomNumberGenerator
  ) -> String {
    links.removeAll { $0.end < time }
    if links.count >= Self.maxCount { links.removeFirst() }
    let secret = Secret(using: &random)
    links.append(Link(secret: secret, end: time + Self.time, response: response))
    return "/download/\(secret.text)"
  }

  /// Removes a link and returns its response; nil if the link is unknown, used or expired.
  mutating func take(_ text: String, at time: ContinuousClock.Instant) -> (
    @Sendable () -> Response
  )? {
    links.removeAll { $0.end < time }
    guard let index = links.firstIndex(where: { $0.secret.matches(text) }) else { return nil }
    return links.remove(at: index).response
  }
}

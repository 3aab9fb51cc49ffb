/// Download links, each valid once and for half a minute. A browser that saves a file can't send
/// the key.
struct DownloadLinks<Content: Sendable>: Sendable {
  private var links: [Link] = []

  private struct Link {
    let secret: Secret
    let end: ContinuousClock.Instant
    let content: Content
  }

  /// The time until a link expires.
  static var time: Duration { .seconds(30) }
  /// The maximum number of links; beyond it, the oldest one is dropped.
  static var maxCount: Int { 100 }

  /// Creates a link.
  ///
  /// - Returns: The path of the link, such as `/download/5f0c…`.
  mutating func add(
    _ content: Content, at time: ContinuousClock.Instant,
    using random: inout some RandomNumberGenerator
  ) -> String {
    links.removeAll { $0.end < time }
    if links.count >= Self.maxCount { links.removeFirst() }
    let secret = Secret(using: &random)
    links.append(Link(secret: secret, end: time + Self.time, content: content))
    return "/download/\(secret.text)"
  }

  /// Removes a link and returns its content; nil if the link is unknown, used or expired.
  mutating func take(_ text: String, at time: ContinuousClock.Instant) -> Content? {
    links.removeAll { $0.end < time }
    guard let index = links.firstIndex(where: { $0.secret.matches(text) }) else { return nil }
    return links.remove(at: index).content
  }
}

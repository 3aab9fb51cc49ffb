/// Links that work once, and for half a minute: a browser can't send the key when it saves a file.
struct DownloadLinks<Content: Sendable>: Sendable {
  private var links: [Link] = []

  private struct Link {
    let secret: Secret
    let end: ContinuousClock.Instant
    let content: Content
  }

  /// The time for which a link works.
  static var time: Duration { .seconds(30) }
  /// The most links at a time: of more, the oldest ones end.
  static var most: Int { 100 }

  /// Makes a link.
  ///
  /// - Returns: Its path, such as `/download/5f0c…`.
  mutating func add(
    _ content: Content, at time: ContinuousClock.Instant,
    using random: inout some RandomNumberGenerator
  ) -> String {
    links.removeAll { $0.end < time }
    if links.count >= Self.most { links.removeFirst() }
    let secret = Secret(using: &random)
    links.append(Link(secret: secret, end: time + Self.time, content: content))
    return "/download/\(secret.text)"
  }

  /// Takes what a link leads to; nil for another link, one that was used, and one that is too old.
  mutating func take(_ text: String, at time: ContinuousClock.Instant) -> Content? {
    links.removeAll { $0.end < time }
    guard let index = links.firstIndex(where: { $0.secret.matches(text) }) else { return nil }
    return links.remove(at: index).content
  }
}

/// The location of a replica of Litestream, as the user wrote it.
struct FollowSource: Hashable {
  let text: String

  /// The part of the location that may be printed: without the user's name and password, and
  /// without parameters, which may be keys.
  var shown: String {
    var shown = text.prefix { $0 != "?" && $0 != "#" }[...]
    if let start = shown.firstRange(of: "://"),
      let end = shown[start.upperBound...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
    {
      shown.removeSubrange(start.upperBound...end)
    }
    return String(shown)
  }
}

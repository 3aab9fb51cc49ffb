/// The release that this is, for the history in files.
enum LibraryVersion {
  static let current = "0.1.0"
}

/// The release of this library, for the history in files.
enum LibraryVersion {
  static let current = "0.1.0"
}

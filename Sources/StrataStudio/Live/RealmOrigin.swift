package import Foundation
import StrataStorage

/// The file of Realm of which the studio shows a copy.
///
/// Realm writes into its file where it is, so the copy doesn't follow it: the folder's entry tells
/// that there is something new.
package struct RealmOrigin: Sendable {
  private let url: URL
  private let appearance: FileAppearance
  /// The values that the copy has in another form.
  package var changed = ChangedValues()

  /// Notes what a file is like, before it is read.
  package init(_ url: URL) {
    self.url = url
    appearance = FileAppearance(ofOnly: url)
  }

  /// Why the copy isn't what the file is any more, and what to do; nil as long as it is.
  var difference: String? {
    guard FileAppearance(ofOnly: url) != appearance else { return nil }
    return FileManager.default.fileExists(atPath: url.path)
      ? "The file of Realm has changed since it was read: the page shows it as it was. End the studio "
        + "with Control-C, and start it again."
      : "The file of Realm isn't there any more: the page shows the copy of it, which goes with the "
        + "studio. Save what you need."
  }
}

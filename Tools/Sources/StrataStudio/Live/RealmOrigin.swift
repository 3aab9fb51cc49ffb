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
  /// How many things of the file the copy has in another form, or not at all.
  package var differences = 0
  /// Those of them that are about no object, such as classes that are left out.
  package var others: [String] = []

  /// Notes what a file is like, before it is read.
  package init(_ url: URL) {
    self.url = url
    appearance = FileAppearance(ofOnly: url)
  }

  /// The change of the file since it was read; nil as long as it is as it was.
  var change: Change? {
    guard FileAppearance(ofOnly: url) != appearance else { return nil }
    return FileManager.default.fileExists(atPath: url.path) ? .rewritten : .gone
  }

  /// A change of a file that was read.
  enum Change: Sendable {
    /// It can be read again.
    case rewritten
    case gone

    var event: FileEvent {
      switch self {
      case .rewritten:
        .outdated(
          message: "The file of Realm has changed since it was read: the page shows it as it was.",
          canLoadAgain: true)
      case .gone:
        .outdated(
          message:
            "The file of Realm isn't there any more: the page shows the copy of it, which goes with the "
            + "studio. Save what you need.", canLoadAgain: false)
      }
    }
  }
}

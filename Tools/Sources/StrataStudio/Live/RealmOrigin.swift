package import Foundation
import StrataStorage

/// The file of Realm that the studio shows a copy of.
///
/// The copy doesn't follow later changes. Realm writes into its file in place, which changes the
/// file's attributes.
package struct RealmOrigin: Sendable {
  private let url: URL
  private let appearance: FileAppearance
  /// The values that differ in the copy.
  package var changed = ChangedValues()
  /// The number of differences between the file and its copy, including omissions.
  package var differences = 0
  /// The differences that concern no single object, such as omitted classes.
  package var others: [String] = []

  /// Records the attributes of a file before it is read.
  package init(_ url: URL) {
    self.url = url
    appearance = FileAppearance(ofOnly: url)
  }

  /// The change of the file since it was read; nil if it is unchanged.
  var change: Change? {
    guard FileAppearance(ofOnly: url) != appearance else { return nil }
    return FileManager.default.fileExists(atPath: url.path) ? .rewritten : .gone
  }

  /// The change of a file since it was read.
  enum Change: Sendable {
    /// The file can be read again.
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
            "The file of Realm was moved or deleted. The page shows its copy, which is deleted "
            + "when the studio ends. Export the data that you need.", canLoadAgain: false)
      }
    }
  }
}

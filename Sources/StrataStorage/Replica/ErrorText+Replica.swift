package import Foundation
package import StrataSchema

/// Sentences about replicas.
extension ErrorText {
  package static func noPublication(in folder: String) -> String {
    "There is no version in the replica '\(folder)' yet: `strata follow` writes to it. Set `patience` "
      + "to wait for the first one."
  }

  static func invalidPublicationName(_ name: String, in folder: String) -> String {
    "The replica '\(folder)' names '\(name)' as its newest version, which isn't the name of a "
      + "version. Delete the file 'current' in this folder: publishing the next version creates it "
      + "again."
  }

  static func noPublication(
    in folder: String, before date: String, oldest: String
  ) -> String {
    "The replica '\(folder)' has no version from before \(date): the oldest one is of \(oldest)."
  }

  package static func replicaBehind(
    _ path: String, _ token: HistoryToken, newest: HistoryToken?, after limit: Duration
  ) -> String {
    "The replica at path '\(path)' lacks the transaction '\(token)' after \(limit): its newest one is "
      + "'\(newest?.description ?? "none")'. Wait longer, or read the original."
  }

  static func otherPrimary(
    _ folder: String, _ promotion: PromotionRecord, recordedIn file: String
  ) -> String {
    let promoted = promotion.file.map { "this replica was promoted to '\($0)'" }
    return "The replica '\(folder)' doesn't show the file of a former primary: on "
      + "\(promotion.date.inSentence) UTC \(promoted ?? "another primary was followed"). Follow that "
      + "one, or delete '\(file)' to accept any version."
  }

  package static let replicaObservation =
    "GRDB observes only changes by this process, and no process changes a replica. Use `observe` "
    + "or `changes()`."

  package static func contradictsReplica(_ setting: String) -> String {
    "Cannot set `\(setting)` when `replica` is set: a replica is never changed."
  }

  package static func replicaCannotBeChanged(_ folder: String) -> String {
    "The replica in '\(folder)' belongs to `strata follow`: it can't be changed."
  }

  package static let replicaTransaction =
    "Can't perform transactions on a replica: it shows the file of another machine. Write there, or "
    + "open a file of this machine."

  package static func missingTable(_ className: String, in name: String) -> String {
    "The version '\(name)' of the replica has no table for class '\(className)', which the version "
      + "before it had. Close the realm and open it again."
  }
}

extension Date {
  /// The time in UTC to the second, for a sentence.
  package var inSentence: String { String((DateText.encode(self) ?? "?").prefix(19)) }
}

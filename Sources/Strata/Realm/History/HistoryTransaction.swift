public import Foundation
public import StrataSchema
import StrataStorage

/// A transaction of the history of a file.
public struct HistoryTransaction: Sendable, Identifiable {
  /// The place in the history behind this transaction.
  public let id: HistoryToken

  /// When it was committed, by the clock of the machine: dates may not ascend.
  public let date: Date

  /// The author, if one was given: see `Realm.write(author:_:)`.
  public let author: String?

  /// The program, its process and its machine, as in `orders-server[4711]@host1`; nil for another
  /// program.
  public let process: String?

  /// The schema version of the file at that time.
  public let schemaVersion: UInt64

  /// The kind of the transaction.
  public let kind: Kind

  /// The objects that it has changed, by class name, then by identity.
  public let changes: [HistoryChange]

  /// Of a migration, the classes whose objects a closure, a transform or a merge may have changed,
  /// and how many there were: which, isn't listed, so consumers read the class again.
  public let rewrittenClasses: [String: Int]

  /// The kinds of transactions.
  public enum Kind: Sendable, Hashable {
    /// The history began here. What was in the file before isn't in it.
    case began
    /// A transaction of this library.
    case write
    /// SQL of another program. It may be one of several transactions, or several in one
    /// thousandth of a second.
    case otherProgram
    /// The file came to another schema version.
    case migration(from: UInt64?, to: UInt64)
    /// The file was replaced by a backup: all objects may be others.
    case restored
  }

  /// The changes of objects of a class.
  public func changes<Element: ObjectBase>(of type: Element.Type) -> [HistoryChange] {
    let name = type.className()
    return changes.filter { $0.className == name }
  }
}

extension HistoryPage {
  /// The transactions with the names that a program knows.
  func transactions(_ program: DiscoveredSchema) -> [HistoryTransaction] {
    let classes = HistoryClasses(program.schema, file: file)
    return entries.map { HistoryTransaction($0, classes) }
  }
}

extension HistoryTransaction {
  fileprivate init(_ entry: HistoryEntry, _ classes: HistoryClasses) {
    id = entry.token
    date = entry.date
    author = entry.author
    process = entry.process
    schemaVersion = entry.schemaVersion
    changes = entry.changes.map { HistoryChange($0, classes) }
    rewrittenClasses = entry.migration?.rewritten ?? [:]
    kind =
      switch entry.kind {
      case .began: .began
      case .write: .write
      case .other: .otherProgram
      case .migration:
        .migration(from: entry.migration?.from, to: entry.migration?.to ?? entry.schemaVersion)
      case .restored: .restored
      }
  }
}

/// A consumer of a history: see `Realm.consumeHistory(as:limit:_:)`.
public struct HistoryConsumer: Sendable, Hashable, Identifiable {
  /// Its name, which is its own in the file.
  public let name: String

  /// The last transaction that it has taken.
  public let token: HistoryToken

  /// When it has taken that.
  public let updatedAt: Date

  /// The number of transactions that it hasn't taken yet.
  public let behind: Int

  /// Its name.
  public var id: String { name }

  init(_ consumer: HistoryConsumers.Consumer) {
    name = consumer.name
    token = consumer.token
    updatedAt = consumer.updatedAt
    behind = consumer.behind
  }
}

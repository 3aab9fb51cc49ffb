public import Foundation
public import StrataSchema
import StrataStorage

/// A transaction of the history of a file.
public struct HistoryTransaction: Sendable, Identifiable {
  /// The position in the history after this transaction.
  public let id: HistoryToken

  /// The time of the commit, by the clock of the machine. Dates may not be ascending.
  public let date: Date

  /// The author, if one was given: see `Realm.write(author:_:)`.
  public let author: String?

  /// The program, its process and its machine, as in `orders-server[4711]@host1`; nil for a program
  /// without this library.
  public let process: String?

  /// The schema version of the file at the time of the transaction.
  public let schemaVersion: UInt64

  /// The kind of the transaction.
  public let kind: Kind

  /// The origin of the file at that time: 16 hexadecimal digits. A restored or copied file gets
  /// another one. The two files give the same ``HistoryChange/identity`` to different objects after
  /// it. Nil if the file was written by a release of the library without origins.
  public let origin: String?

  /// The changed objects, by class name and then by identity.
  public let changes: [HistoryChange]

  /// For a migration, the classes whose objects a closure, a transform or a merge may have changed,
  /// with the numbers of their objects. The individual objects aren't listed, so consumers must
  /// read the class again.
  public let rewrittenClasses: [String: Int]

  /// The kinds of transactions.
  public enum Kind: Sendable, Hashable {
    /// The history began. The existing content of the file isn't in the history.
    case began
    /// A transaction of this library.
    case write
    /// Changes by SQL of another program. The entry may be one of several transactions, or contain
    /// several transactions within a millisecond.
    case otherProgram
    /// The file was migrated to another schema version.
    case migration(from: UInt64?, to: UInt64)
    /// The file was restored from a copy, or is a copy that a program has opened for writing, or a
    /// promoted replica. All objects may have changed, and transactions may be lost.
    case restored
  }

  /// Returns the changes of objects of a class.
  public func changes<Element: ObjectBase>(of type: Element.Type) -> [HistoryChange] {
    let name = type.className()
    return changes.filter { $0.className == name }
  }
}

extension HistoryPage {
  /// Returns the transactions with the names of the program's classes and properties.
  func transactions(_ program: DiscoveredSchema) -> [HistoryTransaction] {
    let classes = HistoryClasses(program, file: file)
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
    origin = entry.origin.map(FileOrigins.text)
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
  /// The name, which is unique in the file.
  public let name: String

  /// The last transaction that the consumer has processed.
  public let token: HistoryToken

  /// The time at which the consumer processed that transaction.
  public let updatedAt: Date

  /// The number of transactions that the consumer hasn't processed yet.
  public let behind: Int

  /// The name.
  public var id: String { name }

  init(_ consumer: HistoryConsumers.Consumer) {
    name = consumer.name
    token = consumer.token
    updatedAt = consumer.updatedAt
    behind = consumer.behind
  }
}

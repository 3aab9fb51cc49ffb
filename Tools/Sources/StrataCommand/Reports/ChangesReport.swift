import Foundation
import Strata
import StrataSchema
import StrataStudio

/// The lines that `strata changes` prints for one transaction.
struct ChangesReport {
  let transaction: HistoryTransaction

  init(_ transaction: HistoryTransaction) { self.transaction = transaction }

  var lines: [String] {
    let who = [transaction.author, transaction.process].compactMap(\.self).map(PlainText.of)
    let head = [transaction.id.description, Figures.time(transaction.date), kind] + who
    let groups = ChangeGroup.groups(of: transaction.changes)
    let width = groups.map { DisplayWidth.of($0.className) }.max() ?? 0
    return [head.joined(separator: "  ")]
      + groups.map { group in
        let padding = String(repeating: " ", count: width - DisplayWidth.of(group.className))
        return "  \(group.className)\(padding)  \(group.what)"
      }
      + transaction.rewrittenClasses.sorted { $0.key < $1.key }.map { name, count in
        "  \(PlainText.of(name))  \(Figures.count(count)) rewritten"
      }
  }

  private var kind: String {
    switch transaction.kind {
    case .began: "began"
    case .write: "write"
    case .otherProgram: "other program"
    case .migration(let from, let to):
      "migration \(from.map { "\($0) " } ?? "")→ \(to)"
    case .restored: "restored"
    }
  }
}

/// The objects of one class to which a transaction did the same.
private struct ChangeGroup {
  var className: String
  var kind: String
  /// The properties or kept values after the identities; empty for insertions.
  var details: [String] = []
  var rows: [Int64] = []

  static func groups(of changes: [HistoryChange]) -> [ChangeGroup] {
    var groups: [ChangeGroup] = []
    var places: [String: Int] = [:]
    for change in changes {
      let name = PlainText.of(change.className)
      var details = ""
      let kind: String
      switch change.kind {
      case .inserted: kind = "inserted"
      case .updated(let properties, _):
        kind = "updated"
        details = properties.map(PlainText.of).joined(separator: ", ")
      case .deleted(let kept):
        kind = "deleted"
        details = kept.sorted { $0.key < $1.key }.map {
          "\(PlainText.of($0.key)) \($0.value.shown)"
        }.joined(separator: ", ")
      case .deletedAll(let count):
        groups.append(ChangeGroup(className: name, kind: "all \(count) deleted"))
        continue
      }
      let key = "\(name)\u{0}\(kind)\u{0}\(details)"
      let place = places[key] ?? groups.count
      if place == groups.count {
        places[key] = place
        groups.append(
          ChangeGroup(className: name, kind: kind, details: details.isEmpty ? [] : [details]))
      }
      groups[place].rows.append(change.identity)
    }
    return groups
  }

  var what: String {
    guard !rows.isEmpty else { return kind }
    let names = ([runs] + details).joined(separator: ": ")
    return "\(Figures.count(rows.count)) \(kind)  \(names)"
  }

  /// The maximum number of runs of identities in a line.
  private static let maxRuns = 8

  /// The identities as text: `1…3, 7`.
  private var runs: String {
    let runs = HistoryGroup.runs(rows)
    let texts = runs.prefix(Self.maxRuns).map { run in
      run.lowerBound == run.upperBound
        ? "\(run.lowerBound)" : "\(run.lowerBound)…\(run.upperBound)"
    }
    return texts.joined(separator: ", ") + (runs.count > Self.maxRuns ? ", …" : "")
  }
}

extension HistoryValue {
  /// The text of the value in a line.
  fileprivate var shown: String {
    switch self {
    case .null: "nil"
    case .int(let number): "\(number)"
    case .bool(let value): "\(value)"
    case .double(let number): "\(number)"
    case .string(let text): "\"\(PlainText.of(text))\""
    case .data(let data): "\(data.count) bytes"
    case .date(let date): Figures.iso(date)
    case .uuid(let id): id.uuidString
    case .objectId(let id): id.stringValue
    case .decimal(let number): "\(number)"
    case .object(let name, let identity): "\(PlainText.of(name)) \(identity)"
    case .nested(let json): PlainText.of(json)
    }
  }
}

extension JSONValue {
  init(_ transaction: HistoryTransaction) {
    self = [
      "token": .text(transaction.id.description),
      "date": .text(Figures.iso(transaction.date)),
      "kind": .text(transaction.kindName),
      "author": .optional(transaction.author) { .text($0) },
      "process": .optional(transaction.process) { .text($0) },
      "schemaVersion": .unsigned(transaction.schemaVersion),
      "changes": .array(transaction.changes.map { JSONValue($0) }),
      "rewrittenClasses": .sorted(transaction.rewrittenClasses) { .int($0) },
    ]
  }

  private init(_ change: HistoryChange) {
    let what: JSONValue =
      switch change.kind {
      case .inserted: ["change": "inserted"]
      case .updated(let properties, let old):
        [
          "change": "updated", "properties": .texts(properties),
          "oldValues": .sorted(old) { JSONValue($0) },
        ]
      case .deleted(let kept): ["change": "deleted", "kept": .sorted(kept) { JSONValue($0) }]
      case .deletedAll(let count): ["change": "deletedAll", "count": .int(count)]
      }
    self = .joined(
      [
        "class": .text(change.className), "identity": .int(change.identity),
        "key": .optional(change.primaryKey) { JSONValue($0) },
      ], what)
  }

  private init(_ value: HistoryValue) {
    switch value {
    case .null: self = .null
    case .int(let number): self = .int(number)
    case .bool(let value): self = .bool(value)
    case .double(let number): self = .number(number)
    case .string(let text): self = .text(text)
    case .data(let data): self = .text(data.base64EncodedString())
    case .date(let date): self = .text(Figures.iso(date))
    case .uuid(let id): self = .text(id.uuidString)
    case .objectId(let id): self = .text(id.stringValue)
    case .decimal(let number): self = .text("\(number)")
    case .object(let name, let identity):
      self = ["class": .text(name), "identity": .int(identity)]
    case .nested(let json): self = .text(json)
    }
  }
}

extension HistoryTransaction {
  fileprivate var kindName: String {
    switch kind {
    case .began: "began"
    case .write: "write"
    case .otherProgram: "other"
    case .migration: "migration"
    case .restored: "restored"
    }
  }
}

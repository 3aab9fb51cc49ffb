import StrataSchema

/// The differences between the classes of two files.
struct SchemaComparison: Hashable {
  /// The differences of one class.
  enum Difference: Hashable {
    case onlyInFirst(ObjectSchema)
    case onlyInSecond(ObjectSchema)
    /// At least one change.
    case changed(className: String, [SchemaChange])

    var className: String {
      switch self {
      case .onlyInFirst(let object), .onlyInSecond(let object): object.className
      case .changed(let className, _): className
      }
    }
  }

  /// In the order of the names of classes.
  let differences: [Difference]

  init(_ first: Schema, _ second: Schema) {
    let names = Set((first.objectSchema + second.objectSchema).map { Name($0.className) })
    differences = names.sorted { SQLName.precedes($0.text, $1.text) }.compactMap { name in
      switch (first[name.text], second[name.text]) {
      case (let old?, let new?):
        let changes = SchemaDiff.changes(from: Schema([old]), to: Schema([new]))
        return changes.isEmpty ? nil : .changed(className: name.text, changes)
      case (let old?, nil): return .onlyInFirst(old)
      case (nil, let new?): return .onlyInSecond(new)
      case (nil, nil): return nil
      }
    }
  }

  /// A name, equal to another if its bytes are: SQLite has two classes for two ways to write an é.
  private struct Name: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (first: Name, second: Name) -> Bool { SQLName.same(first.text, second.text) }

    func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }
  }

  /// Whether a program with the second classes needs a higher schema version for a file with the
  /// first.
  ///
  /// New classes and indexes need none, and classes that only the file has don't matter.
  var needsMigration: Bool {
    differences.contains { difference in
      guard case .changed(_, let changes) = difference else { return false }
      return changes.contains(where: \.needsMigration)
    }
  }

  /// How many there are: a class that one file doesn't have is one.
  var count: Int {
    differences.reduce(0) { count, difference in
      guard case .changed(_, let changes) = difference else { return count + 1 }
      return count + changes.count
    }
  }
}

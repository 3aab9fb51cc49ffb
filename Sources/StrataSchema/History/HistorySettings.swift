/// The settings of a history, which are stored in its file.
///
/// All names are names of tables and columns.
package struct HistorySettings: Sendable, Hashable {
  /// Whether triggers record the rows that other programs change by SQL.
  package var notesOtherPrograms = true
  /// The columns whose values a deletion keeps in addition to the primary key, by class.
  package var kept: [String: [String]] = [:]
  /// The classes whose updates keep the old values of changed columns.
  package var classesWithOldValues: Set<String> = []
  package var retention = Retention()

  /// The time that transactions are kept, in seconds, and their number.
  package struct Retention: Sendable, Hashable {
    package var age: Double
    package var count: Int
    package var consumerAge: Double

    package init(age: Double = 604_800, count: Int = 1_000_000, consumerAge: Double = 2_592_000) {
      self.age = age
      self.count = count
      self.consumerAge = consumerAge
    }
  }

  package init() {}

  /// Returns the columns that a deletion in a class keeps: the key, and the requested columns that
  /// the class has.
  package func keptColumns(of schema: ObjectSchema) -> [String] {
    let key = schema.primaryKeyProperty.map { [$0.columnName] } ?? []
    let wanted = kept[schema.className] ?? []
    return (key + wanted.filter { !key.contains($0) })
      .compactMap(schema.property(column:)).flatMap(\.columns).map(\.name)
  }
}

extension HistorySettings {
  /// The settings as JSON. Equal settings always have the same text.
  package var text: String {
    NestedValue.dictionary(unordered: [
      NestedEntry(
        key: "notesOtherPrograms", value: .value(.integer(notesOtherPrograms ? 1 : 0), .bool)),
      NestedEntry(key: "kept", value: .dictionary(of: kept) { .list(of: $0) }),
      NestedEntry(
        key: "classesWithOldValues",
        value: .list(of: classesWithOldValues.sorted(by: SQLName.precedes))),
      NestedEntry(key: "age", value: .value(.real(retention.age), .double)),
      NestedEntry(key: "count", value: .integer(Int64(retention.count))),
      NestedEntry(key: "consumerAge", value: .value(.real(retention.consumerAge), .double)),
    ]).text
  }

  /// Reads ``text``; nil for another text.
  package init?(_ text: String) {
    guard let value = NestedValue(readable: text),
      let notesOtherPrograms = value.member("notesOtherPrograms")?.bool,
      let kept = value.member("kept")?.members({ $0.strings }),
      let classes = value.member("classesWithOldValues")?.strings,
      let count = value.member("count")?.number, let age = value.member("age")?.double,
      let consumerAge = value.member("consumerAge")?.double
    else { return nil }
    self.notesOtherPrograms = notesOtherPrograms
    self.kept = kept
    classesWithOldValues = Set(classes)
    retention = Retention(age: age, count: Int(clamping: count), consumerAge: consumerAge)
  }
}

extension NestedValue {
  fileprivate var double: Double? {
    switch self {
    case .value(.real(let number), _): number
    case .value(.integer(let number), .int): Double(number)
    default: nil
    }
  }
}

import Strata

/// The differences between two versions of a class, as the schema describes them.
struct Changes: CustomStringConvertible {
  var removed: [String] = []
  var added: [String] = []
  var changed: [String] = []

  init(from old: ObjectSchema?, to new: ObjectSchema?) {
    let before = old?.properties ?? []
    let after = new?.properties ?? []
    for property in before where !after.contains(where: { $0.name == property.name }) {
      removed.append("\(property)")
    }
    for property in after {
      let counterpart = before.first { $0.name == property.name }
      if let counterpart, counterpart.type != property.type {
        changed.append("\(counterpart) → \(property.type.rawValue)")
      } else if counterpart == nil {
        added.append("\(property)")
      }
    }
    if let key = new?.primaryKeyProperty?.name, old?.primaryKeyProperty?.name != key {
      changed.append("\(key) is the primary key")
    }
  }

  /// The changes, one line for each kind.
  var lines: [String] {
    let kinds = [("gone", removed), ("new", added), ("changed", changed)]
    return kinds.filter { !$0.1.isEmpty }.map { label($0) + $1.joined(separator: ", ") }
  }

  /// All changes in one line.
  var description: String {
    (removed.map { "- " + $0 } + added.map { "+ " + $0 } + changed).joined(separator: ", ")
  }
}

/// The start of a line about a file.
func label(_ text: String) -> String {
  "  " + text.padding(to: 9)
}

/// The first rows, in columns.
func printTable(_ people: some Sequence<Newest.Person>) {
  let header = ["id", "fullName", "yearsSinceBirth", "email"]
  let rows = people.map { ["\($0.id)", $0.fullName, $0.yearsSinceBirth, $0.email ?? "nil"] }
  let table = [header] + rows.map { $0.map(shortened) }
  let widths = header.indices.map { column in table.map { width($0[column]) }.max() ?? 0 }
  for row in table {
    let cells = zip(row, widths.dropLast() + [0]).map { $0.padding(to: $1) }
    print(label("") + cells.joined(separator: "  "))
  }
}

private func shortened(_ text: String) -> String {
  text.count > 36 ? text.prefix(35) + "…" : text
}

/// The width of a text in a terminal, where an emoji takes two columns.
func width(_ text: String) -> Int {
  text.reduce(0) { width, character in
    let isEmoji = character.unicodeScalars.contains(where: \.properties.isEmojiPresentation)
    return width + (isEmoji ? 2 : 1)
  }
}

extension String {
  func padding(to length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - width(self)))
  }
}

import StrataSchema
import StrataStudio

/// The facts for older programs that a file records beside its classes, at one of its versions.
struct SchemaFacts: Hashable {
  /// A class or property with another name than before.
  struct Rename: Hashable {
    /// The class after the version's renames.
    var className: String
    /// The property after the version's renames; nil if the class was renamed.
    var property: String?
    var from: String
    /// The first version with the new name.
    var since: UInt64
  }

  /// All recorded renames, the oldest first.
  var renamed: [Rename] = []
  /// The removed properties whose values the file keeps.
  var retired: [RetiredProperty] = []
  var oldestReader: UInt64?
  var oldestWriter: UInt64?

  init() {}

  /// - Parameter versions: The recorded versions up to the one that is shown.
  init(_ versions: some Sequence<RecordedFile.Entry>) {
    for version in versions {
      let names = version.record.names
      renamed += names.classes.sorted { $0.key < $1.key }.map { old, new in
        Rename(className: new, from: old, since: version.version)
      }
      for (className, columns) in names.properties.sorted(by: { $0.key < $1.key }) {
        renamed += columns.sorted { $0.key < $1.key }.map { old, new in
          Rename(className: className, property: new, from: old, since: version.version)
        }
      }
      retired = version.record.retired
      oldestReader = version.oldestReader
      oldestWriter = version.oldestWriter
    }
  }

  /// Returns the facts about some classes, by their present names, with the limits of the file.
  func restricted(to names: [String]) -> SchemaFacts {
    var result = self
    result.retired = retired.filter { names.contains($0.className) }
    var known = Set(names)
    result.renamed = renamed.reversed().filter { rename in
      guard known.contains(rename.className) else { return false }
      if rename.property == nil { known.insert(rename.from) }
      return true
    }.reversed()
    return result
  }

  /// A line for each fact.
  var lines: [String] {
    let names = renamed.map { rename in
      let old = rename.property == nil ? rename.from : "\(rename.className).\(rename.from)"
      return
        "\(old) is called \(rename.property ?? rename.className) from version \(rename.since) on"
    }
    let kept = retired.map { retired in
      let property = retired.property
      return "\(retired.className).\(property.name): \(property.swiftType) was removed in version "
        + "\(retired.since), and keeps its values"
    }
    let limits = [(oldestReader, "read the file"), (oldestWriter, "write to the file")].compactMap {
      oldest, use in oldest.map { "only programs from version \($0) on may \(use)" }
    }
    return (names + kept + limits).map { PlainText.of($0) }
  }

  /// The lines below a title; none without facts.
  var block: [String] {
    lines.isEmpty ? [] : ["for older programs"] + lines.map { "  " + $0 }
  }

  /// Returns the changes from earlier facts to these, below a title: `-` marks a removed line, `+`
  /// a new one.
  func changes(from earlier: SchemaFacts) -> [String] {
    let (old, new) = (earlier.lines, lines)
    let changes =
      old.filter { !new.contains($0) }.map { "  - " + $0 }
      + new.filter { !old.contains($0) }.map { "  + " + $0 }
    return changes.isEmpty ? [] : ["~ for older programs"] + changes
  }

  var json: JSONValue {
    [
      "renamed": .array(
        renamed.map { rename in
          [
            "class": .text(rename.className),
            "property": .optional(rename.property) { .text($0) },
            "from": .text(rename.from),
            "since": .unsigned(rename.since),
          ]
        }),
      "retired": .array(
        retired.map { retired in
          [
            "class": .text(retired.className),
            "property": JSONValue(retired.property),
            "since": .unsigned(retired.since),
          ]
        }),
      "oldestReader": .optional(oldestReader) { .unsigned($0) },
      "oldestWriter": .optional(oldestWriter) { .unsigned($0) },
    ]
  }
}

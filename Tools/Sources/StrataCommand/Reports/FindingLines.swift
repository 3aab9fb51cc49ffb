import Strata
import StrataStudio

/// The findings of a conversion as lines of output.
enum FindingLines {
  /// The number of findings to show of each kind; the rest is only counted.
  private static let shown = 3

  /// The lines of all findings, grouped by kind.
  ///
  /// - Parameter repairs: Whether each kind ends with a line that says what to do.
  static func lines(_ findings: ConversionFindings, repairs: Bool) -> [String] {
    ConversionFinding.Kind.allCases.flatMap { kind -> [String] in
      guard let count = findings.counts[kind] else { return [] }
      var lines = findings[kind].prefix(shown).map { "- \(PlainText.of($0.description))" }
      if count > lines.count {
        lines.append("- \(Figures.count(count - lines.count)) more of this kind")
      }
      if repairs { lines.append("  \(repair(kind))") }
      return lines
    }
  }

  /// The options that resolve findings of a kind.
  static func repair(_ kind: ConversionFinding.Kind) -> String {
    switch kind {
    case .nan: "Add '--nan nil', or '--nan nil-or-zero' for required properties."
    case .date: "Add '--dates clamp', or '--dates nil' for optional properties."
    case .invalidText: "Add '--invalid-text repair'."
    case .danglingLink: "Add '--dangling-links nil'."
    case .nestedCollection: "Add '--nested-collections nil', or change the values with Realm."
    case .asymmetricClass: "Add '--asymmetric-classes leave-out'."
    case .bookkeepingClass: "Add '--bookkeeping-classes leave-out'."
    case .omittedProperty:
      "Add '--bookkeeping-classes leave-out' and '--asymmetric-classes leave-out'."
    case .missingValue, .duplicateKey, .sharedObject, .orphan:
      "The file is damaged: convert a backup of it, or repair the objects with Realm."
    case .schema: "Rename it with Realm, in a migration of the old program."
    case .schemaVersion: "Open the file with Realm and a configuration that has a lower version."
    }
  }
}

extension JSONValue {
  /// The count of each kind, with its first hundred findings.
  init(_ findings: ConversionFindings) {
    self = .array(
      ConversionFinding.Kind.allCases.compactMap { kind in
        guard let count = findings.counts[kind] else { return nil }
        return [
          "kind": .text(kind.rawValue),
          "count": .int(count),
          "repair": .text(FindingLines.repair(kind)),
          "first": .array(findings[kind].map { JSONValue($0) }),
        ]
      })
  }

  private init(_ finding: ConversionFinding) {
    self = [
      "class": .optional(finding.className) { .text($0) },
      "property": .optional(finding.property) { .text($0) },
      "objectKey": .optional(finding.objectKey) { .int($0) },
      "message": .text(finding.description),
    ]
  }
}

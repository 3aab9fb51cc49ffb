package import GRDB
package import StrataSchema

/// Refuses a stage that takes values away without saying so.
package struct LossCheck {
  package let losses: [PossibleLoss]
  /// The version that the stage goes to.
  package let version: UInt64
  /// `Person.age`: what may go.
  package let allowed: Set<String>

  package init(losses: [PossibleLoss], version: UInt64, allowed: Set<String>) {
    self.losses = losses
    self.version = version
    self.allowed = allowed
  }

  /// A link whose class has another name looks like one of another type.
  private var hints: [String] {
    let renames = losses.compactMap { loss -> String? in
      guard let old = loss.property.objectClassName, let new = loss.replacement?.objectClassName,
        old != new
      else { return nil }
      return "\nIf '\(new)' is the new name of '\(old)', say so: "
        + "'.renamingClass(\"\(old)\", to: \"\(new)\")'."
    }
    return Set(renames).sorted()
  }

  /// - Parameters:
  ///   - db: Has the rows as they were before the stage.
  ///   - table: The name that a class has there.
  ///   - carried: `Person.age`: what the stage has looked after.
  /// - Throws: ``RealmError`` with code `fail`, naming each property and its number of rows.
  package func check(
    _ db: Database, carried: Set<String> = [], table: (_ className: String) -> String = { $0 }
  ) throws {
    var lines: [String] = []
    var names: [String] = []
    for loss in losses where !allowed.contains(loss.name) && !carried.contains(loss.name) {
      let count = try Int.fetchOne(db, sql: loss.countSQL(in: table(loss.className))) ?? 0
      guard count > 0 else { continue }
      let rows = count == 1 ? "1 row still has" : "\(count) rows still have"
      let change =
        loss.replacement.map {
          "changes from '\(loss.property.typeName)' to '\($0.typeName)', but"
        } ?? "is removed, but"
      lines.append("\n- '\(loss.name)' \(change) \(rows) a value")
      names.append("\"\(loss.name)\"")
    }
    guard !lines.isEmpty else { return }
    lines += hints
    throw RealmError(
      .fail,
      "The migration to schema version \(version) would lose data:" + lines.joined()
        + "\nCarry the values over in the closure of the stage, or say that they may go with "
        + "'.dropping(\(names.joined(separator: ", ")))'.")
  }
}

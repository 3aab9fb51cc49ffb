package import GRDB
import Logging
package import StrataSchema

extension Logger {
  /// Says which new classes look like one whose objects stay behind: a class that is renamed in
  /// code only is a new and empty one.
  ///
  /// - Parameters:
  ///   - before: The schema before a stage, by the names that classes have after it.
  ///   - kept: What is in the file after it.
  ///   - carried: `Person.age`: what a closure has read, which then has seen to the objects itself.
  package func noteLookAlikes(
    from before: Schema, to target: Schema, kept: Schema, carried: Set<String> = [], _ db: Database
  ) throws {
    guard logLevel <= .notice else { return }
    let left = Schema(before.objectSchema.filter { kept[$0.className] != nil })
    for found in LookAlike.all(from: left, to: target) {
      guard !carried.contains(where: { $0.hasPrefix("\(found.old).") }),
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(SQLName.quote(found.old)))")
          == true
      else { continue }
      notice(
        """
        Class '\(found.new)' is new and empty, and looks like '\(found.old)', which the program no \
        longer has and whose objects stay in the file. If they are one class, call \
        'migration.renameClass(from: "\(found.old)", to: "\(found.new)")' in the migration, or \
        declare '.renamingClass("\(found.old)", to: "\(found.new)")' in the stage.
        """)
    }
  }
}

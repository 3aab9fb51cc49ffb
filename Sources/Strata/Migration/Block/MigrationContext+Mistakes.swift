import IssueReporting
import Logging

/// What a migration does about mistakes of its block.
extension MigrationContext {
  /// A misspelt class is no mistake to Realm, and costs the values that the block would have
  /// carried.
  func noteIfUnknown(_ className: String) {
    guard oldSchema[className] == nil, newSchema[className] == nil else { return }
    logger?.notice("Neither the file nor the program has a class '\(className)' to enumerate.")
  }

  /// Whether work may go on.
  @inline(__always)
  func canWork() -> Bool { isSound || canStillWork() }

  @inline(never)
  private func canStillWork() -> Bool {
    if isOver { reportIssue("A migration was used after its block returned.") }
    return false
  }

  @inline(__always)
  func canUse(_ object: DynamicObject) -> Bool {
    // Old objects can be read to the end: a closure that asks for a value there must get it.
    guard canWork() || (!isOver && !object.table.isNew) else { return false }
    if object.isDeleted { fail("\(ErrorText.deleted) ('\(object.table.className)')") }
    return !object.isDeleted
  }

  /// Runs work on the database whose failure ends the migration.
  func attempt<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      fail(error)
      return nil
    }
  }

  /// The same, unless the migration has failed before.
  func attemptIfSound(_ body: () throws -> Void) {
    if isSound { _ = attempt(body) }
  }

  func reportUnreadable(_ property: Property, of object: DynamicObject) {
    reportIssue(
      """
      '\(object.table.className).\(property.name)' of the row with \
      \(object.table.schema.identityColumn) \(object.rowID) holds no value of type \
      '\(property.typeName)' and reads as nil.
      """)
  }
}

import GRDB
import IssueReporting
import Logging
import StrataStorage

/// One migration while the block of the user runs: both sides, and what is known of them.
///
/// What belongs to one owner is asked of it; here is what needs several of them.
final class MigrationContext {
  /// Nil when the block has returned: the objects that it kept don't keep the file open.
  private var oldConnection: Database?
  let new: NewSide
  let status: BlockStatus
  let classes: BlockClasses
  let notes = BlockNotes()
  let tables = BlockTables()
  let creations = Creations()

  init(
    old: Database, new: Database, oldSchema: Schema, physical: Schema,
    discovered: DiscoveredSchema, runner: OperationRunner, logger: Logger?
  ) {
    oldConnection = old
    status = BlockStatus(new.fileURL, logger)
    self.new = NewSide(new, runner, status)
    classes = BlockClasses(oldSchema, physical, discovered)
  }

  /// Runs the block; returns what is in the file then.
  func run(_ body: () throws -> Void) throws -> Schema {
    defer {
      status.end()
      tables.end()
      new.end()
      oldConnection = nil
    }
    do {
      try body()
    } catch {
      throw status.error ?? BlockFailure(error: error)
    }
    new.flush()
    if let error = status.error { throw error }
    try classes.checkRenames()
    return classes.physical
  }

  /// Sees the rows as they were before.
  var old: Database {
    guard let oldConnection else {
      stopForProgrammerError("The rows of a migration can't be read after its block.")
    }
    return oldConnection
  }

  /// The connection that the rows of a table are on, with everything written that has been set in
  /// its class, or in all classes.
  func flush(_ table: MigrationTable, all: Bool = false) -> Database {
    table.isNew ? new.flush(all ? nil : table.className) : old
  }

  // MARK: Objects

  @inline(__always)
  func canUse(_ object: DynamicObject) -> Bool {
    // Old objects can be read to the end: a closure that asks for a value there must get it.
    guard status.canWork() || (!status.isOver && !object.table.isNew) else { return false }
    if object.isDeleted { status.fail("\(ErrorText.deleted) ('\(object.table.className)')") }
    return !object.isDeleted
  }

  /// An object for a caller that must get one after a mistake: it can't be read or written.
  func placeholder(_ className: String) -> DynamicObject {
    let table = MigrationTable(
      ObjectSchema(className: className, properties: []), identity: nil, isNew: true, context: self)
    let object = DynamicObject(table, row: 0)
    object.markDeleted()
    return object
  }

  func reportUnreadable(_ property: Property, of object: DynamicObject) {
    reportIssue(
      """
      '\(object.table.className).\(property.name)' of the row with \
      \(object.table.schema.identityColumn) \(object.rowID) holds no value of type \
      '\(property.typeName)' and reads as nil.
      """)
  }

  /// A misspelt class is not a mistake to Realm, and costs the values that the block would have
  /// carried.
  func logIfUnknown(_ className: String) {
    guard classes.oldSchema[className] == nil, classes.newSchema[className] == nil else { return }
    status.logger?.notice(
      "Neither the file nor the program has a class '\(className)' to enumerate.")
  }

  // MARK: Changes

  /// Notes that rows of a class, or of all, may have changed outside of its loop.
  func touch(_ className: String?) {
    notes.touch(className)
    new.forgetOldRows(className)
  }

  /// Notes that triggers may have deleted objects of classes.
  func noteUncertain(_ classNames: Set<String>) {
    notes.noteChange()
    guard !classNames.isEmpty else { return }
    notes.noteUncertain(classNames)
    // They may have made links nil as well.
    touch(nil)
    new.markCurrentDeleted {
      classNames.contains($0.className) && isDeleted($0.row, of: $0.className)
    }
  }

  /// - Parameter isMerged: Whether another row has taken the place of this one.
  func noteDeleted(_ row: Int64, of className: String, isMerged: Bool = false) {
    guard notes.noteDeleted(row, of: className) else { return }
    new.markCurrentDeleted { $0.row == row && $0.className == className }
    if isMerged {
      new.accounts.noteMerged(className)
    } else {
      new.accounts.noteDeleted(className)
    }
  }

  func isDeleted(_ row: Int64, of className: String) -> Bool {
    if notes.hasDeleted(row, of: className) { return true }
    // Rows that triggers deleted are noted nowhere.
    guard notes.uncertain.contains(className), let table = newTable(className) else { return false }
    return !exists(row, in: table)
  }

  /// The classes of the new side of which rows may have come or gone.
  var involvedClasses: Set<String> {
    new.accounts.changedClasses.union(notes.uncertain)
      .intersection(classes.physical.objectSchema.map(\.className))
  }
}

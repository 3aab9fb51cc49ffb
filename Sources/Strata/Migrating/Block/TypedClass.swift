import StrataSchema
import StrataStorage

/// A model class that represents the rows of one side of a migration.
final class TypedClass {
  let info: ClassInfo
  let table: MigrationTable
  /// For each slot of the class, the slot of the table; -1 for a property without a column.
  let slots: SlotArray<Int>
  /// The classes of links and of the elements of collections, by slots of the class.
  let targets: SlotArray<ObjectBase.Type?>

  init(_ type: ObjectBase.Type, _ table: MigrationTable) throws(RealmError) {
    let info = try ClassInfo.of(type)
    self.info = info
    self.table = table
    slots = SlotArray(
      info.properties.map { property in
        guard property.isStoredInColumn else { return -1 }
        return table.properties.firstIndex {
          SQLName.same($0.columnName, property.columnName)
        } ?? -1
      })
    targets = info.targets
  }

  func object(_ row: DynamicObject) -> ObjectBase {
    let object = info.materialize()
    TypedRow(self, row).adopt(object)
    return object
  }
}

extension MigrationContext {
  func newClass(_ type: ObjectBase.Type) throws(RealmError) -> TypedClass {
    let key = TypedClassKey(type: ObjectIdentifier(type), isNew: true)
    if let known = tables.typed[key] { return known }
    let name = type.className()
    guard let target = classes.discovered.classes[name]?.type else {
      throw RealmError(
        .fail,
        classes.newSchema[name] == nil
          ? ErrorText.notManaged(name)
          : "The new version is a frozen schema, whose objects have no class: use "
            + "'enumerateObjects(ofType: \"\(name)\")', or give the version as classes.")
    }
    guard target == type else {
      throw RealmError(
        .fail,
        "'\(String(reflecting: type))' is not the class that new objects of '\(name)' have: that is "
          + "'\(String(reflecting: target))'.")
    }
    guard let table = newTable(name) else { throw RealmError(.fail, ErrorText.notManaged(name)) }
    let made = try TypedClass(type, table)
    tables.typed[key] = made
    return made
  }

  /// Returns a class as the type of old objects; nil if the file has no class of that name.
  func oldClass(_ type: ObjectBase.Type) throws(RealmError) -> TypedClass? {
    let key = TypedClassKey(type: ObjectIdentifier(type), isNew: false)
    if let known = tables.typed[key] { return known }
    guard let table = oldTable(type.className()) else { return nil }
    let schema = try ClassInfo.of(type).objectSchema
    let differences = SchemaDiff.changes(from: Schema([table.schema]), to: Schema([schema]))
      .filter(\.blocksReading)
    guard differences.isEmpty else {
      throw RealmError(
        .fail,
        "'\(String(reflecting: type))' is not the class that old objects of '\(type.className())' "
          + "have. Compared with the file:" + differences.map { "\n- \($0)" }.joined()
          + "\nUse the class of the version that the file is at.")
    }
    let made = try TypedClass(type, table)
    tables.typed[key] = made
    return made
  }

  /// Returns the object of a row as an instance of a class; nil after an error, which fails the
  /// migration.
  func typedObject(_ type: ObjectBase.Type, _ row: DynamicObject) -> ObjectBase? {
    do throws(RealmError) {
      let known = row.table.isNew ? try newClass(type) : try oldClass(type)
      return known?.object(row)
    } catch {
      status.fail(error)
      return nil
    }
  }
}

struct TypedClassKey: Hashable {
  var type: ObjectIdentifier
  var isNew: Bool
}

extension SchemaChange {
  /// Whether objects of the second schema can't show rows of the first one.
  fileprivate var blocksReading: Bool {
    switch self {
    case .addProperty, .changeType, .makeRequired: true
    default: false
    }
  }
}

import CStrataRuntime
import Foundation
import IssueReporting
import StrataStorage
import Synchronization

/// A model class: its properties, and how to reach them in memory.
///
/// Made once per class and process. Immutable afterwards; the prototype is only read.
final class ClassInfo: @unchecked Sendable {
  // guarded by: nothing but the atomic at the end; immutable.
  let type: ObjectBase.Type
  let className: String
  /// The persisted properties: those of superclasses first, then in the order of declaration.
  let properties: [Property]
  let accessors: ContiguousArray<_PropertyAccessor>
  /// The types of the properties in Swift.
  let valueTypes: ContiguousArray<any Persistable.Type>
  /// The classes of links and of the elements of collections.
  let targets: ContiguousArray<ObjectBase.Type?>
  /// Whether the class declares a default value, for each property.
  let hasDefault: [Bool]
  /// The properties that are in columns of the table, each with the position of its first column
  /// among those of the table without the identity.
  let columnSlots: [Int]
  let columnPositions: [Int32]
  /// All of an object at once.
  let row: RowAccess
  /// The properties that are links, and those that are collections.
  let linkSlots: [Int]
  let collectionSlots: [Int]
  /// Names as `@Persisted(primaryKey: true)` and `primaryKey()` give them; more than one is a
  /// mistake.
  let primaryKeys: [String]
  /// The names of the properties of each index of several.
  private let compoundIndexes: [[String]]
  /// Names that `primaryKey()` and other overrides give without such a property.
  let unknownNames: [String]
  /// The properties that a history keeps when an object is deleted.
  let keptOnDeletion: [String]
  /// The properties that values can be given for, in the order of an array of them: all but
  /// linking objects.
  let settableSlots: [Int]
  /// Whether an object has nothing but values of columns and their links: no collection, and no
  /// property that isn't `@Persisted`.
  private let isOfColumnsOnly: Bool
  private let indexes: [String: Int]
  /// Whether objects from a file need their default values: because `@Persisted` properties are
  /// ignored, or because the class makes other objects while one of it is made.
  private let needsDefaults: Atomic<Bool>

  private init(_ type: ObjectBase.Type) throws(RealmError) {
    try Self.checkZeros(of: type)
    self.type = type
    className = type.className()
    let fields = try Self.fields(of: type)
    let ignored = Set(type.ignoredProperties())
    let mapping = type.propertiesMapping()
    let indexed = Set(type.indexedProperties())
    needsDefaults = Atomic(fields.contains { ignored.contains($0.name) })
    let prototype = type.init()
    let base = Unmanaged.passUnretained(prototype).toOpaque()

    var properties: [Property] = []
    var accessors: ContiguousArray<_PropertyAccessor> = []
    var valueTypes: ContiguousArray<any Persistable.Type> = []
    var hasDefault: [Bool] = []
    var primaryKeys: [String] = []
    var targets: ContiguousArray<ObjectBase.Type?> = []
    for field in fields where !ignored.contains(field.name) {
      let attributes = Self.attributes(field.wrapper, at: base + field.offset)
      let value = field.wrapper.valueType
      if attributes.contains(.primaryKey) { primaryKeys.append(field.name) }
      let accessor = try Self.accessor(value, offset: field.offset, of: type)
      properties.append(
        field.property
          ?? Property(
            name: field.name, columnName: mapping[field.name], type: value._propertyType,
            objectClassName: value._objectType?.className(), collection: value._collection,
            isOptional: value._isOptional,
            isIndexed: attributes.contains(.indexed) || indexed.contains(field.name),
            hasTextIndex: attributes.contains(.fullText),
            linkOriginPropertyName: accessor.originProperty?(base)))
      hasDefault.append(attributes.contains(.hasDefault))
      accessors.append(accessor)
      valueTypes.append(value)
      targets.append(value._objectType)
    }
    self.targets = targets
    if let name = type.primaryKey(), !primaryKeys.contains(name) { primaryKeys.append(name) }
    withExtendedLifetime(prototype) {}

    self.properties = properties
    self.accessors = accessors
    self.valueTypes = valueTypes
    self.hasDefault = hasDefault
    columnSlots = accessors.indices.filter { accessors[$0].columns > 0 }
    var position: Int32 = 0
    columnPositions = columnSlots.map { slot in
      defer { position += accessors[slot].columns }
      return position
    }
    row = RowAccess(accessors, columnSlots, columnPositions)
    linkSlots = accessors.indices.filter { accessors[$0].takeLink != nil }
    collectionSlots = accessors.indices.filter { accessors[$0].collection != nil }
    let hasOtherFields =
      Self.fieldCount(of: type) > Self.fieldCount(of: ObjectBase.self) + fields.count
    isOfColumnsOnly =
      (type is any MadeClass.Type || !hasOtherFields)
      && accessors.allSatisfy {
        $0.columns > 0 && $0.collection == nil && $0.storeNested == nil
      }
    settableSlots = properties.indices.filter { !properties[$0].isComputed }
    self.primaryKeys = primaryKeys
    compoundIndexes = type.compoundIndexes()
    keptOnDeletion = type.propertiesKeptOnDeletion()
    let names = Set(properties.map(\.name))
    unknownNames = (Array(indexed) + Array(mapping.keys)).filter { !names.contains($0) }.sorted()
    indexes = Dictionary(properties.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// Whether an object may be filled with another row, where nothing else refers to it.
  var objectsAreReusable: Bool { isOfColumnsOnly && !needsDefaults.load(ordering: .relaxed) }

  var isEmbedded: Bool { type is EmbeddedObject.Type }

  /// The position of a property, by its Swift name.
  func slot(_ name: String) -> Int? { indexes[name] }

  /// The class as schemas describe it.
  var objectSchema: ObjectSchema {
    ObjectSchema(
      className: className, properties: properties, primaryKey: primaryKeys.first,
      isEmbedded: isEmbedded, compoundIndexes: compoundIndexes)
  }

  /// A new instance, its properties not yet given their default values, for filling from a row.
  ///
  /// A mark of the thread keeps the wrappers from making values, and the base class takes it away.
  /// A class may make another object before that (`var helper = Helper()`), which the mark was not
  /// meant for: where the first object to be done is not the one that was asked for, the class is
  /// known to be such, and its objects are made with all their default values.
  @inline(__always)
  func materialize() -> ObjectBase {
    if needsDefaults.load(ordering: .relaxed) { return materializeOrdinarily() }
    let isNested = strata_is_materialising()
    strata_set_materialising(true)
    let object = type.init()
    let first = strata_initialised_object()
    strata_set_materialising(isNested)
    if first == UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()) { return object }
    needsDefaults.store(true, ordering: .relaxed)
    return materializeOrdinarily()
  }

  @inline(never)
  private func materializeOrdinarily() -> ObjectBase {
    let object = ordinarily { type.init() }
    let base = Unmanaged.passUnretained(object).toOpaque()
    // Managed objects have their links and elements in the file.
    for slot in linkSlots { _ = accessors[slot].takeLink?(base) }
    for slot in collectionSlots { accessors[slot].renew?(base) }
    return object
  }
}

extension ClassInfo {
  private static let cache = Mutex<[ObjectIdentifier: ClassInfo]>([:])
  /// Held while a class is looked at: the model's own initializers and defaults run then, and need
  /// not be safe to run on two threads at once. They may ask for other classes.
  private static let looking = NSRecursiveLock()

  /// Describes a class, the first time it is asked for; one class at a time, as in Realm.
  ///
  /// - Throws: ``RealmError`` with code `fail` when the fields of the class can't be read.
  static func of(_ type: ObjectBase.Type) throws(RealmError) -> ClassInfo {
    if let info = cache.withLock({ $0[ObjectIdentifier(type)] }) { return info }
    looking.lock()
    defer { looking.unlock() }
    // Another thread may have been faster, or the initializer of the class itself.
    if let info = cache.withLock({ $0[ObjectIdentifier(type)] }) { return info }
    if let failure = failures.withLock({ $0[ObjectIdentifier(type)] }) { throw failure }
    let info = try ordinarily { () throws(RealmError) in try ClassInfo(type) }
    return cache.withLock { known in
      if let first = known[ObjectIdentifier(type)] { return first }
      known[ObjectIdentifier(type)] = info
      return info
    }
  }

  /// Describes a class where nothing can be thrown: a failure is reported.
  static func reporting(_ type: ObjectBase.Type) -> ClassInfo? {
    do {
      return try of(type)
    } catch {
      reportIssue("\(error.message)")
      return nil
    }
  }

  private struct Field {
    var name: String
    var offset: Int
    var wrapper: any AnyPersisted.Type
    /// The property as the file has it, in a class that is made for a file.
    var property: Property?
  }

  private static func attributes(
    _ wrapper: any AnyPersisted.Type, at address: UnsafeMutableRawPointer
  ) -> PersistedAttributes {
    func read<Wrapper: AnyPersisted>(_: Wrapper.Type) -> PersistedAttributes {
      address.assumingMemoryBound(to: Wrapper.self).pointee.attributes
    }
    return read(wrapper)
  }

  /// The number of stored properties of a class, those of its superclasses included.
  private static func fieldCount(of type: ObjectBase.Type) -> Int {
    strata_field_count(unsafeBitCast(type, to: UnsafeRawPointer.self))
  }

  /// The `@Persisted` fields of a class, superclass first.
  private static func fields(of type: ObjectBase.Type) throws(RealmError) -> [Field] {
    if let made = type as? any MadeClass.Type { return fields(of: made) }
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    var fields: [Field] = []
    for index in 0..<strata_field_count(metadata) {
      let field = strata_field_at(metadata, index)
      defer { field.free_name?(field.name) }
      guard let name = field.name, let fieldType = field.type,
        let wrapper = unsafeBitCast(fieldType, to: Any.Type.self) as? any AnyPersisted.Type
      else { continue }
      // The storage of a wrapped property is called `_name`.
      let label = propertyName(ofStorage: String(cString: name))
      fields.append(Field(name: label, offset: field.offset, wrapper: wrapper))
    }
    try check(fields, of: type, metadata)
    return fields
  }

  private static func fields(of type: any MadeClass.Type) -> [Field] {
    let metadata = unsafeBitCast(type as ObjectBase.Type, to: UnsafeRawPointer.self)
    // The class declares one stored property, and its base class those before it.
    let storage = strata_field_at(metadata, fieldCount(of: type) - 1)
    storage.free_name?(storage.name)
    return zip(type.madeSchema.properties, type.wrappers(at: storage.offset)).map {
      property, wrapper in
      Field(
        name: property.name, offset: wrapper.offset, wrapper: wrapper.type, property: property)
    }
  }

  /// Compares the results of the runtime's functions with `Mirror`, the public way to the same
  /// facts.
  ///
  /// Protects against a runtime that is laid out in another way: an error instead of wild memory.
  private static func check(
    _ fields: [Field], of type: ObjectBase.Type, _ metadata: UnsafeRawPointer
  ) throws(RealmError) {
    var mirrored: [String] = []
    var mirror: Mirror? = Mirror(reflecting: type.init())
    while let current = mirror {
      let names = current.children
        .filter { $0.value is any AnyPersisted }
        .compactMap { $0.label.map(propertyName(ofStorage:)) }
      mirrored.insert(contentsOf: names, at: 0)
      mirror = current.superclassMirror
    }
    guard mirrored == fields.map(\.name) else {
      throw RealmError(
        .fail,
        "The properties of '\(type.className())' can't be read: the runtime reports "
          + "\(fields.map(\.name)), and reflection \(mirrored). This version of Swift lays classes "
          + "out in a way that this version of Strata doesn't know.")
    }
    // Offset 36 of a class descriptor: the number of stored properties that the class itself
    // declares.
    if fields.isEmpty, let descriptor = strata_type_context_descriptor(metadata),
      descriptor.loadUnaligned(fromByteOffset: 36, as: UInt32.self) > 0,
      strata_field_count(metadata) == 0
    {
      throw RealmError(
        .fail,
        "The properties of '\(type.className())' can't be read: it was compiled with "
          + "'-disable-reflection-metadata'. Compile the module of your models without it.")
    }
  }
}

/// The name of the property whose wrapper is stored as `_name`, or as `` `_first-name` ``.
func propertyName(ofStorage label: String) -> String {
  String(withoutBackticks(label).dropFirst())
}

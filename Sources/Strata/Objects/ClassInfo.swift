import CStrataRuntime
import Foundation
import IssueReporting
import StrataStorage
import Synchronization

/// A model class: its properties, and the access to their memory.
///
/// Made once per class and process, and immutable afterwards; the prototype is only read.
final class ClassInfo: @unchecked Sendable {
  // guarded by: nothing. Immutable, except for the atomic at the end.
  let type: ObjectBase.Type
  let className: String
  /// The persisted properties, superclasses first, then in the order of declaration.
  let properties: SlotArray<Property>
  let accessors: SlotArray<_PropertyAccessor>
  let valueTypes: SlotArray<any Persistable.Type>
  /// The classes of links, and of elements of collections.
  let targets: SlotArray<ObjectBase.Type?>
  let hasDefault: SlotArray<Bool>
  let slots: PropertySlots
  let declarations: ClassDeclarations
  let primaryKeySlot: _PropertySlot?
  /// The access to all properties of an object at once.
  let row: RowAccess
  /// Whether objects from a file need their default values: `@Persisted` properties are ignored, or
  /// the class creates other objects in its initializer.
  private let needsDefaults: Atomic<Bool>

  private init(_ type: ObjectBase.Type) throws(RealmError) {
    try Self.checkZeros(of: type)
    self.type = type
    className = type.className()
    let fields = try ClassField.all(of: type)
    let ignored = Set(type.ignoredProperties())
    let mapping = type.propertiesMapping()
    let indexed = Set(type.indexedProperties())
    needsDefaults = Atomic(fields.contains { ignored.contains($0.name) })
    let prototype = type.init()
    let base = Unmanaged.passUnretained(prototype).toOpaque()

    var properties: [Property] = []
    var accessors: [_PropertyAccessor] = []
    var valueTypes: [any Persistable.Type] = []
    var hasDefault: [Bool] = []
    var primaryKeys: [String] = []
    var targets: [ObjectBase.Type?] = []
    for field in fields where !ignored.contains(field.name) {
      let attributes = field.attributes(at: base)
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
    withExtendedLifetime(prototype) {}

    self.properties = SlotArray(properties)
    self.accessors = SlotArray(accessors)
    self.valueTypes = SlotArray(valueTypes)
    self.targets = SlotArray(targets)
    self.hasDefault = SlotArray(hasDefault)
    slots = PropertySlots(self.properties, self.accessors)
    row = RowAccess(self.accessors, slots)
    declarations = ClassDeclarations(
      type, primaryKeys: primaryKeys, named: indexed.union(mapping.keys), properties)
    primaryKeySlot = declarations.primaryKeys.first.flatMap { [slots] in slots[$0] }
  }

  /// Creates the description of a class for a newer file, in which the class, its properties, or
  /// the classes of its links have other names.
  init(_ info: ClassInfo, _ names: ProgramNames) {
    type = info.type
    className = names.classes[info.className] ?? info.className
    let columns = names.columns[info.className] ?? [:]
    properties = SlotArray(
      info.properties.map { property in
        var property = property
        property.columnName = columns[property.columnName] ?? property.columnName
        property.objectClassName = property.objectClassName.map { names.classes[$0] ?? $0 }
        return property
      })
    accessors = info.accessors
    valueTypes = info.valueTypes
    targets = info.targets
    hasDefault = info.hasDefault
    slots = PropertySlots(properties, accessors)
    row = info.row
    declarations = info.declarations
    primaryKeySlot = info.primaryKeySlot
    needsDefaults = Atomic(info.needsDefaults.load(ordering: .relaxed))
  }

  var isEmbedded: Bool { type is EmbeddedObject.Type }

  /// The slot of a property, by its Swift name.
  func slot(_ name: String) -> _PropertySlot? { slots[name] }

  var objectSchema: ObjectSchema {
    ObjectSchema(
      className: className, properties: Array(properties),
      primaryKey: declarations.primaryKeys.first,
      isEmbedded: isEmbedded, compoundIndexes: declarations.compoundIndexes)
  }

  /// Creates an instance to be filled from a row, without default values of its properties.
  ///
  /// A flag of the thread keeps the wrappers from making default values, and the base class resets
  /// the flag. A class may create another object before that (`var helper = Helper()`), for which
  /// the flag wasn't meant. If the first initialized object isn't the requested one, the class is
  /// recorded as such, and from then on its objects are created with all default values.
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
    for slot in slots.links { _ = accessors[slot].takeLink?(base) }
    for slot in slots.collections { accessors[slot].renew?(base) }
    return object
  }
}

extension ClassInfo {
  private static let cache = Mutex<[ObjectIdentifier: ClassInfo]>([:])
  /// Held while a class is described. The model's own initializers and defaults run then, and need
  /// not be thread-safe. They may ask for other classes.
  private static let descriptionLock = NSRecursiveLock()

  private static let beingDescribed = Mutex<Set<ObjectIdentifier>>([])

  /// Returns the description of a class, made at first use; one class at a time, as in Realm.
  static func of(_ type: ObjectBase.Type) throws(RealmError) -> ClassInfo {
    if let info = cache.withLock({ $0[ObjectIdentifier(type)] }) { return info }
    descriptionLock.lock()
    defer { descriptionLock.unlock() }
    // Another thread may have been faster, or the initializer of the class itself.
    if let info = cache.withLock({ $0[ObjectIdentifier(type)] }) { return info }
    if let failure = failures.withLock({ $0[ObjectIdentifier(type)] }) { throw failure }
    beingDescribed.withLock { _ = $0.insert(ObjectIdentifier(type)) }
    defer { beingDescribed.withLock { _ = $0.remove(ObjectIdentifier(type)) } }
    let info = try ordinarily { () throws(RealmError) in try ClassInfo(type) }
    return cache.withLock { known in
      if let first = known[ObjectIdentifier(type)] { return first }
      known[ObjectIdentifier(type)] = info
      return info
    }
  }

  /// Returns the description of a class for code that can neither throw nor report an error.
  /// Returns nil for a class that can't be used, and for objects that are created while their class
  /// is being described.
  static func known(_ type: ObjectBase.Type) -> ClassInfo? {
    if let info = cache.withLock({ $0[ObjectIdentifier(type)] }) { return info }
    descriptionLock.lock()
    defer { descriptionLock.unlock() }
    if beingDescribed.withLock({ $0.contains(ObjectIdentifier(type)) }) { return nil }
    do {
      return try of(type)
    } catch {
      return nil
    }
  }

  /// Returns the description of a class for code that can't throw. A failure is reported.
  static func reporting(_ type: ObjectBase.Type) -> ClassInfo? {
    do {
      return try of(type)
    } catch {
      reportIssue("\(error.message)")
      return nil
    }
  }
}

/// A model class that the library creates at runtime for a class that is known only by its schema.
protocol MadeClass: ObjectBase {
  /// The class as the file has it.
  static var madeSchema: ObjectSchema { get }

  /// The wrappers of the properties, in order, with their offsets in an object.
  ///
  /// - Parameter start: The offset of the storage that contains all wrappers.
  static func wrappers(at start: Int) -> [(offset: Int, type: any AnyPersisted.Type)]
}

/// A `@Persisted` field of a class, as the runtime lays it out.
struct ClassField {
  var name: String
  var offset: Int
  var wrapper: any AnyPersisted.Type
  /// The property as the file has it, for a class that was made for a file.
  var property: Property?

  func attributes(at base: UnsafeMutableRawPointer) -> PersistedAttributes {
    func read<Wrapper: AnyPersisted>(_: Wrapper.Type) -> PersistedAttributes {
      (base + offset).assumingMemoryBound(to: Wrapper.self).pointee.attributes
    }
    return read(wrapper)
  }

  /// The `@Persisted` fields of a class, superclass first.
  static func all(of type: ObjectBase.Type) throws(RealmError) -> [ClassField] {
    if let made = type as? any MadeClass.Type { return all(of: made) }
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    var fields: [ClassField] = []
    for index in 0..<strata_field_count(metadata) {
      let field = strata_field_at(metadata, index)
      defer { field.free_name?(field.name) }
      guard let name = field.name, let fieldType = field.type,
        let wrapper = unsafeBitCast(fieldType, to: Any.Type.self) as? any AnyPersisted.Type
      else { continue }
      // The storage of a wrapped property is called `_name`.
      let label = propertyName(ofStorage: String(cString: name))
      fields.append(ClassField(name: label, offset: field.offset, wrapper: wrapper))
    }
    try check(fields, of: type, metadata)
    return fields
  }

  private static func all(of type: any MadeClass.Type) -> [ClassField] {
    let metadata = unsafeBitCast(type as ObjectBase.Type, to: UnsafeRawPointer.self)
    // The class declares one stored property. Earlier ones belong to its base class.
    let storage = strata_field_at(metadata, strata_field_count(metadata) - 1)
    storage.free_name?(storage.name)
    return zip(type.madeSchema.properties, type.wrappers(at: storage.offset)).map {
      property, wrapper in
      ClassField(
        name: property.name, offset: wrapper.offset, wrapper: wrapper.type, property: property)
    }
  }

  /// Compares the results of the runtime's functions with `Mirror`, the public API for the same
  /// facts.
  ///
  /// Protects against a runtime with another memory layout: throws an error instead of reading
  /// invalid memory.
  private static func check(
    _ fields: [ClassField], of type: ObjectBase.Type, _ metadata: UnsafeRawPointer
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

/// The names of properties that a class specifies by its attributes and overrides.
struct ClassDeclarations: Sendable {
  /// The names from `@Persisted(primaryKey: true)` and `primaryKey()`. More than one is an error.
  let primaryKeys: [String]
  let compoundIndexes: [[String]]
  /// The properties whose values a history keeps when an object is deleted.
  let keptOnDeletion: [String]
  /// The names in `indexedProperties()` and `propertiesMapping()` that are no properties.
  let unknownNames: [String]

  /// - Parameters:
  ///   - attributed: The properties with `@Persisted(primaryKey: true)`.
  ///   - named: The names that the class gives for indexes and for mappings.
  init(
    _ type: ObjectBase.Type, primaryKeys attributed: [String], named: Set<String>,
    _ properties: [Property]
  ) {
    let override = type.primaryKey().flatMap { attributed.contains($0) ? nil : $0 }
    primaryKeys = attributed + [override].compactMap(\.self)
    compoundIndexes = type.compoundIndexes()
    keptOnDeletion = type.propertiesKeptOnDeletion()
    unknownNames = named.subtracting(properties.map(\.name)).sorted()
  }
}

import CStrataRuntime
import StrataStorage

/// A `@Persisted` field of a class, as the runtime lays it out.
struct ClassField {
  var name: String
  var offset: Int
  var wrapper: any AnyPersisted.Type
  /// The property as the file has it, for a class that was made for a file.
  var property: Property?

  /// The attributes of the declaration, read from an object.
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
  /// The property names of each compound index.
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

import IssueReporting
public import StrataSchema
import StrataStorage
import Synchronization

/// The classes that a realm is opened with, and their schema.
///
/// Made once for each set of classes in a process, and shared: opening the same classes again
/// returns the same instance.
final class DiscoveredSchema: Sendable {
  let schema: Schema
  let classes: [String: ClassInfo]

  /// The same classes independent of a file; nil if this instance is independent itself.
  private let unnamed: DiscoveredSchema?
  /// The same classes with their own names; nil if this instance has them itself.
  private let original: DiscoveredSchema?

  private init(_ infos: [ClassInfo], isSubset: Bool) throws(RealmError) {
    try Self.check(infos, isSubset: isSubset)
    schema = Schema(infos.map(\.objectSchema)).namingCollections(besides: Schema())
    classes = Dictionary(infos.map { ($0.className, $0) }) { first, _ in first }
    unnamed = nil
    original = nil
  }

  private init(_ unnamed: DiscoveredSchema, as schema: Schema) {
    self.schema = schema
    self.unnamed = unnamed
    classes = unnamed.classes
    original = unnamed.original
  }

  private init(_ original: DiscoveredSchema, renamed classes: [ClassInfo]) {
    self.classes = Dictionary(uniqueKeysWithValues: classes.map { ($0.className, $0) })
    schema = Schema(classes.map(\.objectSchema)).namingCollections(besides: Schema())
    unnamed = nil
    self.original = original
  }

  /// Creates a recorded schema, whose classes the program doesn't have.
  init(frozen schema: Schema) throws(RealmError) {
    let problems = SchemaValidator.problems(in: schema.objectSchema)
    guard problems.isEmpty else {
      throw RealmError(.fail, ErrorText.validation(problems.map(\.description)))
    }
    self.schema = schema.namingCollections(besides: Schema())
    unnamed = nil
    original = nil
    classes = [:]
  }

  /// The same classes with the names that they have in a newer file.
  func renamed(_ names: ProgramNames) throws(RealmError) -> DiscoveredSchema {
    guard !names.isEmpty else { return self }
    let base = unnamed ?? self
    return Self.renamedSchemas.withLock { known in
      let key = ObjectIdentifier(base)
      if let first = known[key]?.first(where: { $0.names == names }) { return first.renamed }
      let renamed = DiscoveredSchema(
        base, renamed: base.classes.values.map { ClassInfo($0, names) })
      known[key, default: []].append((names, renamed))
      return renamed
    }
  }

  /// The instances for newer files in which classes or properties have other names, by the instance
  /// with their own names.
  private static let renamedSchemas = Mutex<
    [ObjectIdentifier: [(names: ProgramNames, renamed: DiscoveredSchema)]]
  >([:])

  /// The same classes, with the table names that their collections have, or get, in a file.
  ///
  /// - Parameter readOnly: Whether the file must not change.
  func named(besides file: Schema, readOnly: Bool = false) -> DiscoveredSchema {
    let base = unnamed ?? self
    let named =
      readOnly
      ? base.schema.withCollectionNames(of: file) : base.schema.namingCollections(besides: file)
    if named == schema { return self }
    if named == base.schema { return base }
    // Frozen schemas have no classes, and are not cached.
    guard !classes.isEmpty else { return DiscoveredSchema(base, as: named) }
    return Self.namedSchemas.withLock { known in
      let key = ObjectIdentifier(base)
      if let first = known[key]?.first(where: { $0.schema == named }) { return first }
      let made = DiscoveredSchema(base, as: named)
      known[key, default: []].append(made)
      return made
    }
  }

  /// Whether two instances have the same classes, in any files.
  func hasSameClasses(as other: DiscoveredSchema) -> Bool {
    independent === other.independent
  }

  /// The same classes with their own names, independent of a file.
  private var independent: DiscoveredSchema {
    let base = unnamed ?? self
    return base.original ?? base
  }

  /// The instances for files in which collections have other table names, by the file-independent
  /// instance. There is rarely one.
  private static let namedSchemas = Mutex<[ObjectIdentifier: [DiscoveredSchema]]>([:])

  /// The instances by their classes, both in ascending order of identifiers and in the given
  /// orders: sorting the classes each time a realm is opened would take longer than everything
  /// else.
  private static let cache = Mutex<[[ObjectIdentifier]: DiscoveredSchema]>([:])

  /// Describes the given classes, or, for nil, every model class in the process.
  static func of(_ types: [ObjectBase.Type]?) throws(RealmError) -> DiscoveredSchema {
    let isSubset = types != nil
    let types = if let types { types } else { try allTypes() }
    let given = types.map { ObjectIdentifier($0) }
    let key = isSubset ? given : given + [ObjectIdentifier(DiscoveredSchema.self)]
    if let known = cache.withLock({ $0[key] }) { return known }
    let discovered = try of(
      isSubset ? types : types.filter { $0.shouldIncludeInDefaultSchema() }, isSubset: isSubset)
    return cache.withLock { known in
      known[key] = discovered
      return discovered
    }
  }

  /// - Parameter isSubset: Whether a configuration names the classes.
  static func of(
    _ types: [ObjectBase.Type], isSubset: Bool
  ) throws(RealmError) -> DiscoveredSchema {
    // A class may be given twice.
    let typesByKey = Dictionary(types.map { (ObjectIdentifier($0), $0) }) { first, _ in first }
    var keys = typesByKey.keys.sorted()
    if isSubset, let known = cache.withLock({ $0[keys] }) { return known }
    var infos: [ClassInfo] = []
    var unreadable: [String] = []
    var unusable: [(key: ObjectIdentifier, message: String)] = []
    for key in keys {
      guard let type = typesByKey[key] else { continue }
      do {
        infos.append(try ClassInfo.of(type))
      } catch {
        if !isSubset, ClassInfo.lacksValues(type) {
          unusable.append((key, error.message))
        } else {
          unreadable.append(error.message)
        }
      }
    }
    if !isSubset {
      let isUsed = DefaultClasses.used(infos)
      unreadable += unusable.filter { isUsed($0.key) }.map(\.message)
      infos = DefaultClasses.withoutViews(infos)
      keys = infos.map { ObjectIdentifier($0.type) }.sorted()
    }
    guard unreadable.isEmpty else {
      throw RealmError(.fail, ErrorText.validation(unreadable.sorted()))
    }
    let discovered = try DiscoveredSchema(infos, isSubset: isSubset)
    return cache.withLock { known in
      if let first = known[keys] { return first }
      known[keys] = discovered
      return discovered
    }
  }

  /// The classes of a file, without any class of the program.
  static func dynamic(_ file: Schema) throws(RealmError) -> DiscoveredSchema {
    try of(DynamicClassMaker.types(for: file), isSubset: true).named(besides: file)
  }

  func withOthers(of file: Schema) throws(RealmError) -> DiscoveredSchema {
    let others = file.objectSchema.filter { classes[$0.className] == nil }
    guard !others.isEmpty else { return self }
    let made = try DynamicClassMaker.types(for: Schema(others), besides: Array(classes.values))
    if let original { return try original.renamed(Array(classes.values), and: made, of: self) }
    return try Self.of(classes.values.map(\.type) + made, isSubset: true).named(besides: file)
  }

  /// Returns classes with the names of a newer file, and other classes of the file.
  ///
  /// - Parameter first: The instance without the other classes.
  private func renamed(
    _ infos: [ClassInfo], and made: [ObjectBase.Type], of first: DiscoveredSchema
  ) throws(RealmError) -> DiscoveredSchema {
    var all = infos
    for type in made { all.append(try ClassInfo.of(type)) }
    let key = [ObjectIdentifier(first)] + made.map { ObjectIdentifier($0) }
    return Self.renamedWithOthers.withLock { known in
      if let first = known[key] { return first }
      let extended = DiscoveredSchema(self, renamed: all)
      known[key] = extended
      return extended
    }
  }

  private static let renamedWithOthers = Mutex<[[ObjectIdentifier]: DiscoveredSchema]>([:])

  private static func check(_ infos: [ClassInfo], isSubset: Bool) throws(RealmError) {
    var problems: [String] = []
    let names = Dictionary(grouping: infos, by: \.className)
    for (name, infos) in names.sorted(by: { $0.key < $1.key }) where infos.count > 1 {
      let qualified = infos.map { String(reflecting: $0.type) }.sorted().joined(separator: ", ")
      problems.append(
        "Type '\(name)' appears more than once in the schema. It is the name of \(qualified): "
          + "list the classes of this realm in 'objectTypes'.")
    }
    for info in infos.sorted(by: { $0.className < $1.className }) {
      let keys = info.declarations.primaryKeys
      problems += keys.dropFirst().map {
        "Properties '\(keys[0])' and '\($0)' are both marked as the primary key of "
          + "'\(info.className)'."
      }
      problems += info.declarations.unknownNames.map {
        "Property '\(info.className).\($0)', named by 'indexedProperties()' or "
          + "'propertiesMapping()', does not exist."
      }
      problems += info.problemsOfKeptProperties
    }
    let unique = names.compactMap { $0.value.count == 1 ? $0.value[0].objectSchema : nil }
    var missing: [String] = []
    for problem in SchemaValidator.problems(in: unique) {
      if isSubset,
        case .unknownLinkTarget(let origin, let property, let type, let target) = problem,
        type != PropertyType.linkingObjects.rawValue, names[target] == nil
      {
        missing.append(ErrorText.missingTarget(target, of: property, origin))
      } else if case .noProperties(let name) = problem,
        names[name]?.first?.type is any MadeClass.Type
      {
        // The properties are computed ones, which are not in the file.
      } else {
        problems.append(problem.description)
      }
    }
    let texts = [
      missing.isEmpty ? nil : ErrorText.invalidSubset(missing),
      problems.isEmpty ? nil : ErrorText.validation(problems),
    ].compactMap(\.self)
    guard texts.isEmpty else { throw RealmError(.fail, texts.joined(separator: "\n")) }
  }

  static func types(inside type: Any.Type) throws(RealmError) -> [ObjectBase.Type] {
    let all = try allTypes()
    if let known = nested.withLock({ $0[ObjectIdentifier(type)] }), known.of == all.count {
      return known.types
    }
    let prefix = String(reflecting: type) + "."
    let types = all.filter { String(reflecting: $0).hasPrefix(prefix) }
    nested.withLock { $0[ObjectIdentifier(type)] = (all.count, types) }
    return types
  }

  /// The model classes with the given names, and all classes that they lead to.
  static func types(named names: Set<String>) throws(RealmError) -> [ObjectBase.Type] {
    let all = Dictionary(grouping: try allTypes()) { $0.className() }
    var found: [ObjectBase.Type] = []
    var seen: Set<String> = []
    var next = names.sorted()
    while let name = next.popLast() {
      guard seen.insert(name).inserted else { continue }
      for type in all[name] ?? [] {
        found.append(type)
        next += try ClassInfo.of(type).properties.compactMap(\.objectClassName)
      }
    }
    return found
  }

  /// The classes inside of types, with the number of all classes at that time: a library that is
  /// loaded later may add classes.
  private static let nested = Mutex<[ObjectIdentifier: (of: Int, types: [ObjectBase.Type])]>([:])

  /// Every model class that the loaded images contain.
  static func allTypes() throws(RealmError) -> [ObjectBase.Type] {
    do {
      let types = try TypeFinder.subclasses(of: ObjectBase.self)
      return types.compactMap { type in
        guard let type = type as? ObjectBase.Type, !isOwn(type) else { return nil }
        return type
      }
    } catch {
      throw RealmError(.fail, error.message)
    }
  }

  /// The library's base classes are found, too, but they are not models.
  private static func isOwn(_ type: ObjectBase.Type) -> Bool {
    type == ObjectBase.self || type == Object.self || type == EmbeddedObject.self
      || type == LinkInMigration.self
  }
}

extension ObjectSchema {
  /// The model class with this name.
  ///
  /// A schema is a value, and may describe a file: for a class that the program lacks, and for a
  /// name that several classes share, the result is `Object`.
  public var objectClass: ObjectBase.Type {
    do {
      let named = try DiscoveredSchema.allTypes().filter { $0.className() == className }
      return named.count == 1 ? named[0] : Object.self
    } catch {
      reportIssue("\(error.message)")
      return Object.self
    }
  }
}

extension RealmError {
  /// The error for a class that the realm doesn't have, with the reason if the class can't be
  /// discovered.
  static func notManaged(_ type: ObjectBase.Type) -> RealmError {
    let className = type.className()
    let isGeneric = ClassDescriptor(type)?.isGeneric ?? false
    return RealmError(
      .fail,
      ErrorText.notManaged(className)
        + (isGeneric ? ErrorText.genericClass(className) : DefaultClasses.reason(without: type)))
  }
}

/// The choice of classes for a realm whose configuration names none, if the program has classes
/// that can't all be in one realm. A class that isn't used must not make the others unusable.
enum DefaultClasses {
  /// Returns a function that checks whether one of the classes links to a class.
  static func used(_ infos: [ClassInfo]) -> (ObjectIdentifier) -> Bool {
    let targets = infos.flatMap { info in
      info.targets.compactMap { $0 }.filter { $0 != info.type }.map { ObjectIdentifier($0) }
    }
    return Set(targets).contains
  }

  /// Removes classes that are additional views of a table: several classes have the same name, and
  /// at least one of them gets it from `_realmObjectName()`.
  ///
  /// The class whose own name it is stays. Without such a class, or with several, all are views. If
  /// another class links to a view, all classes of that name stay; the caller reports this error.
  static func withoutViews(_ infos: [ClassInfo]) -> [ClassInfo] {
    let names = Dictionary(grouping: infos, by: \.className)
    var views: Set<ObjectIdentifier> = []
    let isUsed = used(infos)
    for group in names.values where group.count > 1 {
      let own = group.filter { $0.type._realmObjectName() == nil }
      guard own.count <= 1 else { continue }
      let others = group.filter { info in !own.contains { $0 === info } }
      guard !others.contains(where: { isUsed(ObjectIdentifier($0.type)) }) else { continue }
      views.formUnion(others.map { ObjectIdentifier($0.type) })
    }
    return views.isEmpty ? infos : infos.filter { !views.contains(ObjectIdentifier($0.type)) }
  }

  /// The reason why a realm that names no classes excludes a class; "" for another reason.
  static func reason(without type: ObjectBase.Type) -> String {
    do throws(RealmError) {
      _ = try ClassInfo.of(type)
      let name = type.className()
      let views = try DiscoveredSchema.allTypes().filter { $0.className() == name }
      guard views.count > 1, views.contains(where: { $0._realmObjectName() != nil }) else {
        return ""
      }
      let names = views.map { String(reflecting: $0) }.sorted().joined(separator: ", ")
      return " '\(name)' is the name of \(names): list the one that this realm is used with in "
        + "'objectTypes'."
    } catch {
      return " \(error.message)"
    }
  }
}

import CStrataRuntime
import Foundation
import StrataStorage

/// The base of ``Object`` and ``EmbeddedObject``: identity, state, and access by name.
open class ObjectBase {
  /// The state bits. 0 on the fast path: not managed, and not observed.
  @exclusivity(unchecked) @usableFromInline final var _state: UInt8 = 0
  /// The context's generation when this object was created.
  @exclusivity(unchecked) final var _generation: UInt32 = 0
  /// The realm of a managed object, or the reason why an unmanaged one can't be added.
  @exclusivity(unchecked) @usableFromInline final var _context: ManagedContext?
  /// The identity of the object's row.
  @exclusivity(unchecked) final var _rowID: Int64 = 0
  /// The moment, on the context's clock, at which the values were last known to be current.
  @exclusivity(unchecked) @usableFromInline final var _stamp: UInt64 = 0
  /// The properties that were set but not written yet.
  @exclusivity(unchecked) final var _dirty = PropertySet()

  /// The targets of all non-nil links of a managed object.
  @exclusivity(unchecked) final var _links: [LinkRow] = []

  /// Makes an unmanaged object, with the default values of its properties.
  ///
  /// A class may override this initializer: `override init() { super.init(); … }`.
  public init() {
    // The wrappers are initialized. Objects that the model's own initializer creates next are
    // ordinary.
    strata_object_initialised(Unmanaged.passUnretained(self).toOpaque())
  }

  /// Makes an object of a class that is known only at runtime: `type.init()`.
  ///
  /// Classes with `init()` inherit this initializer. The argument has no meaning.
  public required convenience init(_: _NewObject = _NewObject()) { self.init() }

  /// Whether this is a managed object whose values are current.
  ///
  /// Inlined into the models, like reading the value: without reference counting and without calls.
  @inlinable @inline(__always)
  final var _isCurrent: Bool {
    #if DEBUG
      // Each use is checked.
      return false
    #else
      guard _state == 1, let context = _context else { return false }
      let stamp = _stamp
      return Unmanaged.passUnretained(context)._withUnsafeGuaranteedRef { $0.clock.now == stamp }
    #endif
  }

  /// The context without reference counting: with weak references to an object, counting takes
  /// longer than the work itself.
  @inline(__always)
  private final var uncountedContext: Unmanaged<ManagedContext>? {
    _context.map { Unmanaged.passUnretained($0) }
  }

  @usableFromInline @inline(never)
  final func _willRead(_ slot: _PropertySlot) {
    // The property is not in the file.
    if slot == .outside { return }
    if _state & ObjectState.managed != 0, let uncounted = uncountedContext {
      let isKept = uncounted._withUnsafeGuaranteedRef { context in
        #if DEBUG
          context.willUse()
        #endif
        if _state & ObjectState.tracked != 0 { context.recordRead(self, slot: slot) }
        return context.clock.now == _stamp || context.keepsCurrent(self)
      }
      // `refresh` may release the context, so it is retained here.
      if !isKept { _context?.refresh(self, slot: slot) }
    } else if _state & ObjectState.recording != 0 {
      _context?.refresh(self, slot: slot)
    } else if _state & ObjectState.deleted != 0 {
      stopForProgrammerError(misuse(ErrorText.deleted, slot: slot))
    }
  }

  @usableFromInline @inline(never)
  final func _willWrite(_ slot: _PropertySlot) -> Bool {
    if _state & ObjectState.managed != 0, let uncounted = uncountedContext {
      // The writer keeps the context alive.
      return uncounted._withUnsafeGuaranteedRef { $0.willWrite(self, slot: slot) }
    }
    if _state & ObjectState.deleted != 0 {
      stopForProgrammerError(misuse(ErrorText.deleted, slot: slot))
    }
    return true
  }

  /// The error for a use of the object after its deletion.
  final var deletedError: RealmError {
    RealmError(.fail, "\(ErrorText.deleted) ('\(Swift.type(of: self).className())')")
  }

  final func misuse(_ text: String, slot: _PropertySlot) -> String {
    let type = Swift.type(of: self)
    guard let info = ClassInfo.reporting(type), slot < info.properties.endIndex else {
      return "\(text) ('\(type.className())')"
    }
    return "\(text) ('\(type.className()).\(info.properties[slot].name)')"
  }

  /// The name of the class in schemas and files: the last component of its Swift name, without the
  /// backticks of a raw identifier.
  open class func className() -> String {
    _realmObjectName() ?? withoutBackticks(_typeName(self, qualified: false))
  }

  /// Another name of the class in schemas and files, for classes that override it; nil otherwise.
  open class func _realmObjectName() -> String? { nil }

  /// Whether realms whose configuration names no classes include this class; true unless
  /// `_realmIgnoreClass()` says otherwise.
  ///
  /// ```swift
  /// class Draft: Object {
  ///   override class func shouldIncludeInDefaultSchema() -> Bool { false }
  /// }
  /// ```
  open class func shouldIncludeInDefaultSchema() -> Bool { !_realmIgnoreClass() }

  /// Whether only realms whose configuration names the class in `objectTypes` include it; false
  /// unless overridden.
  open class func _realmIgnoreClass() -> Bool { false }

  /// The name of the primary key, for classes that don't write `@Persisted(primaryKey: true)`.
  open class func primaryKey() -> String? { nil }

  /// Names of properties to index, besides those with `@Persisted(indexed: true)`.
  open class func indexedProperties() -> [String] { [] }

  /// The compound indexes, each as its property names in the order of the index.
  ///
  /// ```swift
  /// override class func compoundIndexes() -> [[String]] { [["city", "age"]] }
  /// ```
  /// This index finds objects by `city`, or by `city` and `age`. It sorts objects of one city by
  /// `age`, and computes sums and other aggregates of `age` without reading the objects.
  open class func compoundIndexes() -> [[String]] { [] }

  /// Names of properties whose values a history keeps when an object is deleted, besides the
  /// primary key, which is always kept: see ``RealmConfiguration/history``.
  ///
  /// ```swift
  /// override class func propertiesKeptOnDeletion() -> [String] { ["email"] }
  /// ```
  open class func propertiesKeptOnDeletion() -> [String] { [] }

  /// Names of `@Persisted` properties that are not stored in the file.
  open class func ignoredProperties() -> [String] { [] }

  /// Maps the names of properties to the names of their columns, where the two differ.
  open class func propertiesMapping() -> [String: String] { [:] }
}

/// The argument of an initializer of each model class, so that `init()` needn't be `required`.
public struct _NewObject: Sendable {
  @inlinable
  public init() {}
}

/// Bits of ``ObjectBase/_state``. The fast path needs no bit to be set.
enum ObjectState {
  static let managed: UInt8 = 1
  /// A prototype that records which property a key path reads.
  static let recording: UInt8 = 2
  /// Deleted by this program.
  static let deleted: UInt8 = 4
  /// Given a value that didn't fit; can't be added.
  static let faulty: UInt8 = 8
  /// Deleted from its file by another session or process; shows its last known values.
  static let vanished: UInt8 = 16
  /// Is or was managed, and therefore has the identity of a row.
  static let ofRow = managed | deleted | vanished
  /// The context is notified of each read.
  static let tracked: UInt8 = 32
}

@usableFromInline
func _isMaterializing() -> Bool {
  strata_is_materialising()
}

/// Runs code of the model while an object is made for a row. Objects that the code creates are
/// ordinary.
func ordinarily<Result, Failure: Error>(
  _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  guard strata_is_materialising() else { return try body() }
  strata_set_materialising(false)
  defer { strata_set_materialising(true) }
  return try body()
}

/// The name between backticks in the source, of a class or a property such as `first name`.
///
/// The runtime reports such a name with backticks, and with no-break spaces in place of spaces. The
/// name itself can't contain no-break spaces.
func withoutBackticks(_ name: String) -> String {
  guard name.utf8.count > 2, name.utf8.first == UInt8(ascii: "`"), name.hasSuffix("`") else {
    return name
  }
  return String(name.dropFirst().dropLast().map { $0 == "\u{A0}" ? " " : $0 })
}

/// Stops the process: each subclass must override the member.
func mustOverride(_ object: AnyObject, _ member: StaticString = #function) -> Never {
  stopForProgrammerError("\(type(of: object)) must override '\(member)'.")
}

/// The instance of a class that a value is; nil for any other value.
///
/// Compares types first, because a cast to a class bridges each dictionary, array and text on
/// Linux.
func instance<Class: AnyObject>(of _: Class.Type, _ value: Any?) -> Class? {
  anyInstance(value) as? Class
}

/// The instance of any class that a value is, for a cast to a protocol of classes.
func anyInstance(_ value: Any?) -> AnyObject? {
  guard let value = unwrapped(value), type(of: value) is AnyClass else { return nil }
  return value as AnyObject
}

/// Whether a value is Foundation's null, which stands for nil in JSON.
///
/// Compares types, like `instance(of:_:)`.
func isNull(_ value: Any) -> Bool {
  type(of: value) == NSNull.self
}

/// A value whose description contains the descriptions of nested values.
protocol NestedDescription {
  /// The description, with up to `depth` levels of nested values.
  func description(depth: Int) -> String
}

extension NestedDescription {
  /// The text that replaces deeper levels.
  static var tooDeep: String { "<Maximum depth exceeded>" }
}

/// Five levels, as in RealmSwift: objects that link to each other in a circle would never end.
let maximumDescriptionDepth = 5

extension ObjectBase: CustomStringConvertible, NestedDescription {
  /// The class and its properties, as RealmSwift prints them: without linking objects, and five
  /// levels of objects in objects.
  ///
  /// ```
  /// Person {
  /// 	name = Ada;
  /// 	email = (null);
  /// }
  /// ```
  public var description: String { description(depth: maximumDescriptionDepth) }

  func description(depth: Int) -> String {
    guard depth > 0 else { return Self.tooDeep }
    guard !isInvalidated else { return "[invalid object]" }
    guard let info = ClassInfo.reporting(type(of: self)) else { return Self.shownName }
    let lines = info.properties.filter { !$0.isComputed }.map { property in
      let value = describeValue(unboxedValue(property.name), depth: depth - 1)
      return "\t\(property.name) = \(indented(value));\n"
    }
    return "\(Self.shownName) {\n\(lines.joined())}"
  }

  /// The class name in descriptions, without the separate name for files.
  static var shownName: String {
    let name = className()
    return name == _realmObjectName() ? withoutBackticks(_typeName(self, qualified: false)) : name
  }

  /// The class and its properties in the order of declaration.
  public var objectSchema: ObjectSchema {
    ClassInfo.reporting(type(of: self))?.objectSchema
      ?? ObjectSchema(className: Self.className(), properties: [])
  }
}

/// A value in the description of an object.
func describeValue(_ value: Any?, depth: Int = maximumDescriptionDepth) -> String {
  switch value {
  case nil: "(null)"
  case let value as any NestedDescription: value.description(depth: depth)
  case let data as Data: "<\(data.count) bytes>"
  case let value?: "\(value)"
  }
}

/// A text with all lines but the first indented.
func indented(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n\t")
}

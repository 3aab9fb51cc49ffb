import CStrataRuntime
import Synchronization

/// The reason why the classes of this process can't be listed, with a remedy.
struct DiscoveryFailure: Error {
  let message: String

  init(_ reason: String) {
    message =
      "The model classes of this program can't be listed: \(reason). "
      + "List the classes of this realm in 'objectTypes' of its configuration."
  }
}

/// A finder of the classes in the loaded images.
///
/// Reads the records that the compiler writes for every type, and therefore finds classes that no
/// code mentions. Ancestry is read from the same records: only subclasses of the requested base are
/// created.
enum TypeFinder {
  /// Finds every class without generic parameters that inherits from `base`, directly or
  /// indirectly.
  ///
  /// The result includes private classes, classes inside of other types or functions, and classes
  /// of libraries that were loaded later. It is sorted by name; classes with the same name are in
  /// the order of the images and of the linker.
  static func subclasses(of base: AnyClass) throws(DiscoveryFailure) -> [AnyClass] {
    let sections = TypeSection.loaded()
    let key = ObjectIdentifier(base)
    if let known = cache.withLock({ $0[key] }), known.sections == sections { return known.classes }
    let classes = try subclasses(of: base, in: sections)
    cache.withLock { $0[key] = Scan(sections: sections, classes: classes) }
    return classes
  }

  /// Every class in `sections` that inherits from `base`.
  static func subclasses(
    of base: AnyClass, in sections: [TypeSection]
  ) throws(DiscoveryFailure) -> [AnyClass] {
    guard sections.allSatisfy({ $0.version >= oldestVersion }) else {
      throw DiscoveryFailure(
        "a loaded library states no version of its type records, "
          + "or one that this version of Strata doesn't know")
    }
    guard let baseDescriptor = ClassDescriptor(base) else {
      throw DiscoveryFailure("'\(base)' is not a class written in Swift")
    }
    let heirs = try descriptors(of: baseDescriptor, in: sections)
    var classes: [(name: String, position: Int, type: AnyClass)] = []
    for (position, heir) in heirs.enumerated() {
      guard let type = heir.type(), ClassDescriptor(type) == heir else {
        throw DiscoveryFailure(
          "a record of a type leads to another type; "
            + "this version of Swift lays its records out in a way that Strata doesn't know")
      }
      classes.append((_typeName(type, qualified: false), position, type))
    }
    return classes.sorted { ($0.name, $0.position) < ($1.name, $1.position) }.map(\.type)
  }

  /// Finds the classes without generic parameters that inherit from `base`, without creating them.
  private static func descriptors(
    of base: ClassDescriptor, in sections: [TypeSection]
  ) throws(DiscoveryFailure) -> [ClassDescriptor] {
    let sentinel = ClassDescriptor(Sentinel.self)
    var foundSentinel = false
    var heirs: [ClassDescriptor] = []
    for section in sections {
      section.forEachClass { descriptor in
        if descriptor == sentinel { foundSentinel = true }
        if !descriptor.isGeneric, descriptor.inherits(from: base) { heirs.append(descriptor) }
      }
    }
    // A check of the record layout: a known class and its superclass must be found.
    guard foundSentinel, let sentinel, let sentinelBase = ClassDescriptor(SentinelBase.self),
      sentinel.inherits(from: sentinelBase)
    else {
      throw DiscoveryFailure(
        "a class of Strata itself is not among those that were found; "
          + "this version of Swift lays its records out in a way that Strata doesn't know")
    }
    return heirs
  }

  /// The oldest supported version of the type records. Later versions only add fields after the
  /// fields that are read here.
  private static let oldestVersion: UInt = 1

  /// The last result with its sections: a library that is loaded later adds a section.
  private struct Scan: @unchecked Sendable {
    let sections: [TypeSection]
    // guarded by: nothing; classes are immutable.
    let classes: [AnyClass]
  }

  private static let cache = Mutex<[ObjectIdentifier: Scan]>([:])
}

private class SentinelBase {}
private final class Sentinel: SentinelBase {}

/// The records of the Swift types in a loaded image.
struct TypeSection: Hashable, Sendable {
  /// The version of the metadata layout that the image states; 0 without a version.
  let version: UInt
  private let start: UInt
  private let length: Int

  init(start: UnsafeRawPointer?, length: Int, version: UInt) {
    self.start = UInt(bitPattern: start)
    self.length = length
    self.version = version
  }

  /// The sections of all currently loaded images, in the order of loading.
  static func loaded() -> [TypeSection] {
    var sections: [TypeSection] = []
    withUnsafeMutablePointer(to: &sections) { sections in
      strata_each_type_section(
        { start, length, version, context in
          let section = TypeSection(start: start, length: length, version: UInt(version))
          context?.assumingMemoryBound(to: [TypeSection].self).pointee.append(section)
        }, sections)
    }
    return sections
  }

  /// Calls `body` with every class of the image, generic ones included.
  func forEachClass(_ body: (ClassDescriptor) -> Void) {
    guard let start = UnsafeRawPointer(bitPattern: start) else { return }
    let size = MemoryLayout<Int32>.size
    for offset in stride(from: 0, through: length - size, by: size) {
      if let descriptor = Self.descriptor(at: start + offset) { body(descriptor) }
    }
  }

  /// The class of a record; nil for a type of another kind.
  ///
  /// A record is the distance from itself to a type. Its two lowest bits are the kind of target: 0
  /// is the descriptor, 1 a pointer to the descriptor; 2 and 3 are Objective-C classes.
  private static func descriptor(at record: UnsafeRawPointer) -> ClassDescriptor? {
    let value = record.load(as: Int32.self)
    guard value != 0 else { return nil }
    let target = record + Int(value & ~3)
    switch value & 3 {
    case 0: return ClassDescriptor(target)
    case 1: return target.load(as: UnsafeRawPointer?.self).flatMap(ClassDescriptor.init)
    default: return nil
    }
  }
}

/// The compiler's description of a class, which can be read without creating the class.
///
/// The offsets and bits are part of the ABI on Apple's platforms, and the same on Linux.
struct ClassDescriptor: Hashable {
  let address: UnsafeRawPointer

  /// Fails if the descriptor at `address` doesn't describe a class.
  init?(_ address: UnsafeRawPointer) {
    guard Self.flags(address) & Layout.kindMask == Layout.classKind else { return nil }
    self.address = address
  }

  /// Fails for a class without a Swift descriptor.
  init?(_ type: Any.Type) {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard let address = strata_type_context_descriptor(metadata) else { return nil }
    self.init(address)
  }

  /// Whether the class has generic parameters, its own or an enclosing type's.
  var isGeneric: Bool { Self.flags(address) & Layout.genericFlag != 0 }

  /// Whether `base` is a direct or indirect superclass.
  func inherits(from base: ClassDescriptor) -> Bool {
    var next = superclass
    while let current = next {
      if current == base { return true }
      next = current.superclass
    }
    return false
  }

  /// The superclass; nil without a superclass written in Swift.
  ///
  /// Also nil if the superclass belongs to a library that is missing at runtime (weak linking).
  /// Such a class can't inherit from one that is present.
  var superclass: ClassDescriptor? {
    guard let name = Self.target(of: address + Layout.superclassName) else { return nil }
    switch name.load(as: UInt8.self) {
    case Layout.directReference:
      return Self.target(of: name + 1).flatMap(ClassDescriptor.init)
    case Layout.indirectReference:
      return Self.target(of: name + 1)?.loadUnaligned(as: UnsafeRawPointer?.self)
        .flatMap(ClassDescriptor.init)
    default:
      return Self.resolve(name)
    }
  }

  /// Creates the class if it was not used before; nil for a generic class, which has many
  /// instances.
  func type() -> AnyClass? {
    guard !isGeneric, let accessor = Self.target(of: address + Layout.accessor),
      let metadata = strata_call_accessor(accessor)
    else { return nil }
    return unsafeBitCast(metadata, to: Any.Type.self) as? AnyClass
  }
}

extension ClassDescriptor {
  private enum Layout {
    static let kindMask: UInt32 = 0x1F
    static let classKind: UInt32 = 16
    static let genericFlag: UInt32 = 0x80
    static let accessor = 12
    static let superclassName = 20
    /// The first byte of a mangled name that begins with a relative reference to a descriptor, or
    /// to a pointer to a descriptor. Generic arguments may follow, which don't matter for
    /// inheritance.
    static let directReference: UInt8 = 1
    static let indirectReference: UInt8 = 2
    /// Other bytes in a mangled name before a relative reference, or before a pointer.
    static let references: ClosedRange<UInt8> = 0x01...0x17
    static let pointers: ClosedRange<UInt8> = 0x18...0x1F
  }

  private static func flags(_ address: UnsafeRawPointer) -> UInt32 {
    address.load(as: UInt32.self)
  }

  /// Follows the relative reference at `field`; nil if it is 0.
  private static func target(of field: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = field.loadUnaligned(as: Int32.self)
    return distance == 0 ? nil : field + Int(distance)
  }

  /// Resolves the mangled name at `name`, in any form that the runtime understands.
  ///
  /// Compilers write most superclasses as references. If a superclass is written as text, only the
  /// runtime can look it up, which creates that superclass.
  private static func resolve(_ name: UnsafeRawPointer) -> ClassDescriptor? {
    let bytes = name.assumingMemoryBound(to: UInt8.self)
    // `So` is the namespace of Objective-C, whose classes never inherit from Swift classes.
    if bytes[0] == UInt8(ascii: "S"), bytes[1] == UInt8(ascii: "o") { return nil }
    var length = 0
    while bytes[length] != 0 {
      switch bytes[length] {
      case Layout.references: length += 1 + MemoryLayout<Int32>.size
      case Layout.pointers: length += 1 + MemoryLayout<UInt>.size
      default: length += 1
      }
    }
    return _getTypeByMangledNameInContext(
      bytes, UInt(length), genericContext: nil, genericArguments: nil
    ).flatMap(ClassDescriptor.init)
  }
}

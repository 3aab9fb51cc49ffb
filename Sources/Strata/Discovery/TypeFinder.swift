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

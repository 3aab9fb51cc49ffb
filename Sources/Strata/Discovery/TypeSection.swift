import CStrataRuntime

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

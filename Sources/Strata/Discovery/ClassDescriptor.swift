import CStrataRuntime

/// The compiler's description of a class, which can be read without creating the class.
///
/// The offsets and bits are part of the ABI on Apple's platforms, and the same on Linux.
struct ClassDescriptor: Hashable {
  let address: UnsafeRawPointer

  /// Nil when the descriptor at `address` describes something else than a class.
  init?(_ address: UnsafeRawPointer) {
    guard Self.flags(address) & Layout.kindMask == Layout.classKind else { return nil }
    self.address = address
  }

  /// Nil for a class that Swift has no descriptor of.
  init?(_ type: Any.Type) {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard let address = strata_type_context_descriptor(metadata) else { return nil }
    self.init(address)
  }

  /// Whether the class has generic parameters, of its own or those of a type around it.
  var isGeneric: Bool { Self.flags(address) & Layout.genericFlag != 0 }

  /// Whether `base` is the superclass, or the superclass's superclass, and so on.
  func inherits(from base: ClassDescriptor) -> Bool {
    var next = superclass
    while let current = next {
      if current == base { return true }
      next = current.superclass
    }
    return false
  }

  /// The superclass; nil when there is none that is written in Swift.
  ///
  /// Also nil when the superclass lives in a library that is not there (weak linking). Such a class
  /// can't inherit from one that is.
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

  /// Creates the class if it was not used before; nil for a generic class, which is many.
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
    /// First bytes of a mangled name that begins with a distance to a descriptor, or to a pointer
    /// to one. Generic arguments may follow, which don't matter for inheritance.
    static let directReference: UInt8 = 1
    static let indirectReference: UInt8 = 2
    /// Other bytes in a mangled name that a distance, or else a pointer, follows.
    static let references: ClosedRange<UInt8> = 0x01...0x17
    static let pointers: ClosedRange<UInt8> = 0x18...0x1F
  }

  private static func flags(_ address: UnsafeRawPointer) -> UInt32 {
    address.load(as: UInt32.self)
  }

  /// Follows the distance that is stored at `field`; nil when it is 0.
  private static func target(of field: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = field.loadUnaligned(as: Int32.self)
    return distance == 0 ? nil : field + Int(distance)
  }

  /// The class with the mangled name at `name`, in any form that the runtime understands.
  ///
  /// Compilers write most superclasses as references. Where one is written as text only the runtime
  /// can look it up, and creates that superclass in doing so.
  private static func resolve(_ name: UnsafeRawPointer) -> ClassDescriptor? {
    let bytes = name.assumingMemoryBound(to: UInt8.self)
    // `So` is the namespace of Objective-C, whose classes never inherit from Swift's.
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

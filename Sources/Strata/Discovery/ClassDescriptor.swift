import CStrataRuntime

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

@testable import Strata

/// Type records and class descriptors made by hand, for what the compiler doesn't make here.
///
/// Holds 512 bytes, which are zero at first. They are never freed: scans may remember them.
struct FakeImage {
  private let memory: UnsafeMutableRawPointer
  private var recordCount = 0
  // Records take the first quarter, what they lead to the rest.
  private var next = 128

  init(
    memory: UnsafeMutableRawPointer = .allocate(byteCount: 512, alignment: 8)
  ) {
    self.memory = memory
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 512)
  }

  /// The section with all records so far.
  var section: TypeSection { section(version: 5) }

  func section(version: UInt) -> TypeSection {
    TypeSection(start: memory, length: recordCount * 4, version: version)
  }

  /// The classes that the records lead to.
  var classes: [ClassDescriptor] {
    var classes: [ClassDescriptor] = []
    section.forEachClass { classes.append($0) }
    return classes
  }

  /// Adds a record that leads to a descriptor in this image.
  mutating func addRecord(of descriptor: UnsafeRawPointer, kind: Int32 = 0) {
    setDistance(at: recordCount * 4, to: descriptor, bits: kind)
    recordCount += 1
  }

  /// Adds a record that leads to a pointer to a descriptor anywhere.
  mutating func addIndirectRecord(of descriptor: UnsafeRawPointer?) {
    addRecord(of: addPointer(descriptor), kind: 1)
  }

  mutating func addEmptyRecord() { recordCount += 1 }

  /// Adds a descriptor.
  ///
  /// Calling its accessor stops the process: it leads to memory that holds no code, unless
  /// `accessor` is given, which must lie near this image.
  mutating func addDescriptor(
    flags: UInt32 = 16, superclass: UnsafeRawPointer? = nil, accessor: UnsafeRawPointer? = nil
  ) -> UnsafeRawPointer {
    let offset = reserve(48)
    memory.storeBytes(of: flags, toByteOffset: offset, as: UInt32.self)
    setDistance(at: offset + 12, to: accessor ?? UnsafeRawPointer(memory))
    if let superclass { setDistance(at: offset + 20, to: superclass) }
    return UnsafeRawPointer(memory + offset)
  }

  /// Adds a mangled name that refers to the descriptor of `type` through a pointer.
  mutating func addName(referringTo type: AnyClass) -> UnsafeRawPointer {
    let pointer = addPointer(ClassDescriptor(type)?.address)
    let offset = reserve(6)
    memory.storeBytes(of: 2, toByteOffset: offset, as: UInt8.self)
    setDistance(at: offset + 1, to: pointer)
    return UnsafeRawPointer(memory + offset)
  }

  /// Adds a mangled name in letters.
  mutating func addName(_ text: String) -> UnsafeRawPointer {
    let offset = reserve(text.utf8.count + 1)
    for (index, byte) in text.utf8.enumerated() {
      memory.storeBytes(of: byte, toByteOffset: offset + index, as: UInt8.self)
    }
    return UnsafeRawPointer(memory + offset)
  }

  private mutating func addPointer(_ pointer: UnsafeRawPointer?) -> UnsafeRawPointer {
    let offset = reserve(8)
    memory.storeBytes(of: pointer, toByteOffset: offset, as: UnsafeRawPointer?.self)
    return UnsafeRawPointer(memory + offset)
  }

  private func setDistance(at offset: Int, to target: UnsafeRawPointer, bits: Int32 = 0) {
    let distance = Int32(target - UnsafeRawPointer(memory + offset))
    memory.storeBytes(of: distance | bits, toByteOffset: offset, as: Int32.self)
  }

  private mutating func reserve(_ size: Int) -> Int {
    precondition(next + size <= 512, "a fake image is too small for its test")
    defer { next += (size + 7) & ~7 }
    return next
  }
}

/// The properties that some code reads of an object, and of the objects that its links and
/// collections lead to.
///
/// Recording objects record each property that is read. When a link or a collection of objects is
/// read, the recorder puts another recording object there, so that the code can continue: through
/// `!` and `[0]` as well.
struct PropertyReads {
  /// A property that was read, and the steps that lead to its object.
  struct Read {
    /// The classes on the way, each with the property that is read.
    var steps: [(info: ClassInfo, slot: _PropertySlot)]
    /// The recording object with the property.
    let object: ObjectBase

    var path: PersistedPath {
      PersistedPath(steps.map { $0.info.properties[$0.slot] })
    }
  }

  /// Each property once, in the order in which the code reads them. A link or a collection is
  /// included only if nothing is read behind it.
  let reads: [Read]

  /// The object that was passed to the code.
  let root: ObjectBase
  private let recorder: ReadRecorder

  /// - Parameter suppliesValues: Whether optional properties get values, for code that unwraps
  ///   them.
  /// - Returns: Nil for code that follows links endlessly.
  init?<Root: ObjectBase>(
    _ info: ClassInfo, of _: Root.Type, suppliesValues: Bool = false, by read: (Root) -> Void
  ) {
    let recorder = ReadRecorder(suppliesValues: suppliesValues)
    guard let root = recorder.makeObject(of: info, at: []) as? Root else { return nil }
    read(root)
    guard !recorder.isFull else {
      recorder.forget()
      return nil
    }
    self.recorder = recorder
    self.root = root
    var reads: [Read] = []
    for (object, slot) in recorder.reads {
      // Skips objects that this code has created itself, and properties that aren't in the file.
      guard let way = recorder.ways[ObjectIdentifier(object)],
        slot < way.info.properties.endIndex
      else { continue }
      let read = Read(steps: way.steps + [(way.info, slot)], object: object)
      if !reads.contains(where: { $0.isSame(as: read.steps) }) { reads.append(read) }
    }
    self.reads = reads.filter { read in !reads.contains { $0.continues(read) } }
  }

  /// Releases the recording objects, which keep each other alive. They record no longer.
  func end() { recorder.forget() }
}

extension PropertyReads.Read {
  fileprivate func isSame(as other: [(info: ClassInfo, slot: _PropertySlot)]) -> Bool {
    steps.count == other.count && begins(with: other)
  }

  /// Whether this property belongs to the object that another read leads to.
  fileprivate func continues(_ other: PropertyReads.Read) -> Bool {
    steps.count > other.steps.count && begins(with: other.steps)
  }

  private func begins(with other: [(info: ClassInfo, slot: _PropertySlot)]) -> Bool {
    zip(steps, other).allSatisfy { $0.info === $1.info && $0.slot == $1.slot }
  }
}

extension ClassInfo {
  /// Sets a link in memory, whatever the state of the object.
  func setLink(_ slot: _PropertySlot, of owner: ObjectBase, to target: ObjectBase) -> Bool {
    defer { withExtendedLifetime(owner) {} }
    do {
      return try accessors[slot].convert(Unmanaged.passUnretained(owner).toOpaque(), target)
    } catch {
      // The object is of another class.
      return false
    }
  }
}

/// The type of a link to an object.
protocol LinkValue {
  static var linkedClass: ObjectBase.Type { get }
}

extension Optional: LinkValue where Wrapped: ObjectBase {
  static var linkedClass: ObjectBase.Type { Wrapped.self }
}

/// The property that a key path reads, and whether the key path returns its value unchanged.
struct KeyPathReading<Root: ObjectBase> {
  private let keyPath: PartialKeyPath<Root>
  private let reads: PropertyReads
  private let read: PropertyReads.Read

  /// Fails for a key path that reads no property, or more than one of an object.
  init?(_ keyPath: PartialKeyPath<Root>, _ info: ClassInfo) {
    guard let reads = PropertyReads(info, of: Root.self, by: keyPath) else { return nil }
    guard reads.reads.count == 1 else {
      reads.end()
      return nil
    }
    self.keyPath = keyPath
    self.reads = reads
    read = reads.reads[0]
  }

  /// The links and collections on the way, and the last property that is read.
  var path: PersistedPath { read.path }

  var givesValueUnchanged: Bool {
    guard let last = read.steps.last, let root = reads.root as? Root else { return false }
    return KeyPathCheck(
      keyPath: keyPath, root: root, isDirect: read.steps.count == 1, object: read.object,
      info: last.info, slot: last.slot
    ).givesValueUnchanged
  }

  /// Releases the objects that the key path was tried with.
  func end() { reads.end() }
}

extension PropertyReads {
  init?<Root: ObjectBase>(
    _ info: ClassInfo, of root: Root.Type, by keyPath: PartialKeyPath<Root>
  ) {
    self.init(info, of: root, suppliesValues: keyPath.unwraps) { _ = $0[keyPath: keyPath] }
  }
}

extension AnyKeyPath {
  /// Whether the key path unwraps an optional with `!`, which stops the process at nil.
  ///
  /// Only the key path's description contains this: `!` after the type of the unwrapped part.
  var unwraps: Bool { "\(self)".contains(">!") }
}

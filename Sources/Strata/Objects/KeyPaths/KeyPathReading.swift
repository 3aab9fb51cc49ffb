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

  /// Whether the key path returns the last property unchanged.
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
  /// Records the properties that a key path reads.
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

/// The properties of the file that some code reads of an object, and of the objects that its links
/// and collections lead to.
///
/// Recording objects note each property that is read of them. Where a link or a collection of
/// objects is read, another recording object is put there, so that the code can go on: through `!`
/// and `[0]` as well.
struct PropertyReads {
  /// A property that was read, and what leads to its object.
  struct Read {
    /// The classes on the way, and the property that is read of each.
    var steps: [(info: ClassInfo, slot: _PropertySlot)]
    /// The recording object that the property was read of.
    let object: ObjectBase

    var path: PersistedPath {
      PersistedPath(steps.map { $0.info.properties[$0.slot] })
    }
  }

  /// Each property once, in the order in which the code reads them; a link or a collection only
  /// where nothing is read behind it.
  let reads: [Read]

  /// The object that the code was given.
  let root: ObjectBase
  private let recorder: ReadRecorder

  /// - Parameter suppliesValues: Whether optional values are there, for code that unwraps them.
  /// - Returns: Nil for code that follows links without end.
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
      // One of a class that this code made itself, and a property that isn't in the file.
      guard let way = recorder.ways[ObjectIdentifier(object)],
        slot < way.info.properties.endIndex
      else { continue }
      let read = Read(steps: way.steps + [(way.info, slot)], object: object)
      if !reads.contains(where: { $0.isSame(as: read.steps) }) { reads.append(read) }
    }
    self.reads = reads.filter { read in !reads.contains { $0.continues(read) } }
  }

  /// Takes the recording objects apart, which keep each other. They record no longer.
  func end() { recorder.forget() }
}

extension PropertyReads.Read {
  fileprivate func isSame(as other: [(info: ClassInfo, slot: _PropertySlot)]) -> Bool {
    steps.count == other.count && begins(with: other)
  }

  /// Whether this is read of the object that another one leads to.
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
      // It is an object of another class.
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

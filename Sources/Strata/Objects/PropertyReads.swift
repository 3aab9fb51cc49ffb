/// Finds out which properties of the file some code reads of an object, and of the objects that its
/// links lead to.
///
/// Recording objects note each property that is read of them. At first they have no links; where
/// one is read, another recording object is put there, and the code runs again.
struct PropertyReads {
  /// A property that was read, and the links that lead to its object.
  struct Read {
    /// The classes on the way, and the property that is read of each.
    var steps: [(info: ClassInfo, slot: Int)]

    var path: PersistedPath {
      PersistedPath(properties: steps.map { $0.info.properties[$0.slot] })
    }
  }

  /// Each property once, in the order in which the code reads them; a link only where nothing is
  /// read behind it.
  let reads: [Read]

  /// No code in a program follows more links; a property that follows them in a circle does.
  private static var mostObjects: Int { 64 }

  /// - Returns: Nil for code that follows links without end.
  init?<Root: ObjectBase>(_ info: ClassInfo, of _: Root.Type, by read: (Root) -> Void) {
    let recorder = ReadRecorder()
    guard let root = info.makeRecording(recorder) as? Root else { return nil }
    // They keep each other.
    defer { recorder.forgetReads() }
    var ways: [ObjectIdentifier: (info: ClassInfo, steps: [(info: ClassInfo, slot: Int)])] = [
      ObjectIdentifier(root): (info, [])
    ]
    var objects: [ObjectBase] = [root]
    while objects.count <= Self.mostObjects {
      recorder.forgetReads()
      read(root)
      var reads: [Read] = []
      var followed: [(object: ObjectBase, slot: Int)] = []
      for (object, slot) in recorder.reads {
        // One of a class that this code made itself, and a property that isn't in the file.
        guard let way = ways[ObjectIdentifier(object)], way.info.properties.indices.contains(slot)
        else { continue }
        let steps = way.steps + [(way.info, slot)]
        if !reads.contains(where: { $0.isSame(as: steps) }) { reads.append(Read(steps: steps)) }
        if way.info.linked(slot) != nil { followed.append((object, slot)) }
      }
      var isComplete = true
      for (object, slot) in followed {
        guard let info = ways[ObjectIdentifier(object)]?.info, let next = info.linked(slot),
          !recorder.hasTarget(object, slot)
        else { continue }
        let target = next.makeRecording(recorder)
        recorder.noteTarget(object, slot)
        guard info.setLink(slot, of: object, to: target) else { continue }
        ways[ObjectIdentifier(target)] = (
          next, (ways[ObjectIdentifier(object)]?.steps ?? []) + [(info, slot)]
        )
        objects.append(target)
        isComplete = false
      }
      if isComplete {
        self.reads = reads.filter { read in !reads.contains { $0.continues(read) } }
        return
      }
    }
    return nil
  }
}

extension PropertyReads.Read {
  fileprivate func isSame(as other: [(info: ClassInfo, slot: Int)]) -> Bool {
    steps.count == other.count && begins(with: other)
  }

  /// Whether this is read of the object that another one leads to.
  fileprivate func continues(_ other: PropertyReads.Read) -> Bool {
    steps.count > other.steps.count && begins(with: other.steps)
  }

  private func begins(with other: [(info: ClassInfo, slot: Int)]) -> Bool {
    zip(steps, other).allSatisfy { $0.info === $1.info && $0.slot == $1.slot }
  }
}

/// What recording objects have in the place of a realm.
final class ReadRecorder: ManagedContext {
  private(set) var reads: [(object: ObjectBase, slot: Int)] = []
  private var targets: Set<Link> = []

  private struct Link: Hashable {
    var object: ObjectIdentifier
    var slot: Int
  }

  init() { super.init(clock: StampClock()) }

  override func refresh(_ object: ObjectBase, slot: Int) { reads.append((object, slot)) }

  func forgetReads() { reads = [] }

  func hasTarget(_ object: ObjectBase, _ slot: Int) -> Bool {
    targets.contains(Link(object: ObjectIdentifier(object), slot: slot))
  }

  func noteTarget(_ object: ObjectBase, _ slot: Int) {
    targets.insert(Link(object: ObjectIdentifier(object), slot: slot))
  }
}

extension ClassInfo {
  /// An object that tells a recorder which of its properties is read.
  fileprivate func makeRecording(_ recorder: ReadRecorder) -> ObjectBase {
    let object = type.init()
    let base = Unmanaged.passUnretained(object).toOpaque()
    for (slot, accessor) in accessors.enumerated() { accessor.setSlot(base, UInt16(slot)) }
    object._state = ObjectState.recording
    object._context = recorder
    return object
  }

  /// The class at the other end of a link; nil for other properties.
  fileprivate func linked(_ slot: Int) -> ClassInfo? {
    (valueTypes[slot] as? any LinkValue.Type).flatMap { ClassInfo.reporting($0.linkedClass) }
  }

  /// Sets a link in memory, whatever the state of the object.
  func setLink(_ slot: Int, of owner: ObjectBase, to target: ObjectBase) -> Bool {
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

import CStrataRuntime

/// Finds out which properties a key path reads, and whether it gives the last one unchanged.
///
/// Recording objects tell which of their properties is read. The first one has no links; as long
/// as the key path ends at a link, another one is put there.
struct KeyPathReading<Root: ObjectBase> {
  private let keyPath: PartialKeyPath<Root>
  /// The classes on the way, and the property that is read of each.
  private var steps: [(info: ClassInfo, slot: Int)] = []

  /// No key path in a program is longer; a property that follows links in a circle is.
  private static var longest: Int { 64 }

  /// Nil for a key path that reads no property, or more than one of an object.
  init?(_ keyPath: PartialKeyPath<Root>, _ info: ClassInfo) {
    // A link of a recording object may be nil, and unwrapping it would end the process.
    guard !"\(keyPath)".contains(">!"), let root = info.makeRecorder() as? Root else { return nil }
    self.keyPath = keyPath
    var recorder: ObjectBase = root
    var info = info
    while steps.count < Self.longest {
      strata_record_slot(-1)
      _ = root[keyPath: keyPath]
      let count = Int(strata_recorded_count())
      if count == steps.count, count > 0 { return }
      let slot = Int(strata_recorded_slot())
      guard count == steps.count + 1, info.properties.indices.contains(slot) else { return nil }
      steps.append((info, slot))
      guard let next = info.linked(slot), let target = Self.attach(to: recorder, slot, info, next)
      else { return }
      (recorder, info) = (target, next)
    }
    return nil
  }

  private static func attach(
    to owner: ObjectBase, _ slot: Int, _ info: ClassInfo, _ next: ClassInfo
  ) -> ObjectBase? {
    let target = next.makeRecorder()
    return info.setLink(slot, of: owner, to: target) ? target : nil
  }

  /// The links on the way, and the last property that is read.
  var path: PersistedPath {
    PersistedPath(properties: steps.map { $0.info.properties[$0.slot] })
  }

  /// Whether the key path computes nothing of the last property.
  var givesValueUnchanged: Bool {
    guard let last = steps.last, let root = steps[0].info.type.init() as? Root else { return false }
    var object: ObjectBase = root
    for (step, next) in zip(steps, steps.dropFirst()) {
      let target = next.info.type.init()
      guard step.info.setLink(step.slot, of: object, to: target) else { return false }
      object = target
    }
    return KeyPathCheck(
      keyPath: keyPath, root: root, isDirect: steps.count == 1, object: object, info: last.info,
      slot: last.slot
    ).givesValueUnchanged
  }
}

extension ClassInfo {
  /// An object that tells which of its properties is read.
  fileprivate func makeRecorder() -> ObjectBase {
    let recorder = type.init()
    let base = Unmanaged.passUnretained(recorder).toOpaque()
    for (slot, accessor) in accessors.enumerated() { accessor.setSlot(base, UInt16(slot)) }
    recorder._state = ObjectState.recording
    return recorder
  }

  /// The class at the other end of a link; nil for other properties.
  fileprivate func linked(_ slot: Int) -> ClassInfo? {
    (valueTypes[slot] as? any LinkValue.Type).flatMap { ClassInfo.reporting($0.linkedClass) }
  }

  /// Sets a link in memory, whatever the state of the object.
  fileprivate func setLink(_ slot: Int, of owner: ObjectBase, to target: ObjectBase) -> Bool {
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

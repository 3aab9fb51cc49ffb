/// Finds out which property a key path reads, and whether it gives it unchanged.
struct KeyPathReading<Root: ObjectBase> {
  private let keyPath: PartialKeyPath<Root>
  private let read: PropertyReads.Read

  /// Nil for a key path that reads no property, or more than one of an object.
  init?(_ keyPath: PartialKeyPath<Root>, _ info: ClassInfo) {
    let reads = PropertyReads(info, of: Root.self, by: keyPath)?.reads
    guard let reads, reads.count == 1 else { return nil }
    self.keyPath = keyPath
    read = reads[0]
  }

  /// The links on the way, and the last property that is read.
  var path: PersistedPath { read.path }

  /// Whether the key path computes nothing of the last property.
  var givesValueUnchanged: Bool {
    let steps = read.steps
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

extension PropertyReads {
  /// What a key path reads; nil for one that unwraps with `!`: a link of a recording object may be
  /// nil, which would end the process.
  init?<Root: ObjectBase>(
    _ info: ClassInfo, of root: Root.Type, by keyPath: PartialKeyPath<Root>
  ) {
    guard !"\(keyPath)".contains(">!") else { return nil }
    self.init(info, of: root) { _ = $0[keyPath: keyPath] }
  }
}

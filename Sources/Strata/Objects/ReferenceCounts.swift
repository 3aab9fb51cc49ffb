import CStrataRuntime

/// The counts of references to an object, as far as one question goes: whether a strong reference
/// of the asker is all there is.
///
/// `isKnownUniquelyReferenced` doesn't see weak and unowned references, which must not find another
/// row in their object. The runtime has one value for "one strong reference, no others", whatever
/// the class: it is taken from an object, and compared.
enum ReferenceCounts {
  /// Whether nothing but one strong reference leads to an object; false where that can't be told.
  @inline(__always)
  static func isOnlyReference(_ object: Unmanaged<ObjectBase>) -> Bool {
    strata_reference_counts(object.toOpaque()) == ofOne
  }

  /// The counts of an object with one strong reference, and 0, which no object has, where another
  /// reference of any kind doesn't change them.
  private static let ofOne: UInt64 = {
    let one = counts(with: References())
    let others = [References(.strong), References(.unowned), References(.weak)].map(counts)
    return others.contains(one) ? 0 : one
  }()

  /// The counts of a new object with one strong reference, and what these references add.
  private static func counts(with references: References) -> UInt64 {
    let probe = Unmanaged.passRetained(Probe())
    references.refer(to: probe)
    let counts = strata_reference_counts(probe.toOpaque())
    references.forget()
    probe.release()
    return counts
  }

  private final class Probe {}

  /// A reference of one kind, out of the compiler's sight: it may leave out what seems unused.
  private final class References {
    enum Kind {
      case strong, unowned, weak
    }

    private let kind: Kind?
    private var strong: Probe?
    private unowned var unowned: Probe?
    private weak var weak: Probe?

    init(_ kind: Kind? = nil) { self.kind = kind }

    @inline(never)
    func refer(to probe: Unmanaged<Probe>) {
      probe._withUnsafeGuaranteedRef { probe in
        switch kind {
        case nil: break
        case .strong: strong = probe
        case .unowned: unowned = probe
        case .weak: weak = probe
        }
      }
    }

    @inline(never)
    func forget() { (strong, unowned, weak) = (nil, nil, nil) }
  }
}

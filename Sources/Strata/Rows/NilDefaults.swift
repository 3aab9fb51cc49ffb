import Logging
import StrataStorage
import Synchronization

/// The values of required properties where a newer program has stored nil.
///
/// A newer release of a program may make a property optional. An older one reads the property's
/// default instead of nil, and logs that once for each property.
final class NilDefaults: Sendable {
  private let info: ClassInfo
  private let logged = Mutex<Set<_PropertySlot>>([])

  init(_ info: ClassInfo) { self.info = info }

  /// Sets a property to its default. Returns false for a property whose default can't be set.
  func set(_ slot: _PropertySlot, of base: UnsafeMutableRawPointer) -> Bool {
    let property = info.properties[slot]
    guard !property.isNullable else { return false }
    let object = ordinarily { info.type.init() }
    do throws(RealmError) {
      guard try info.accessors[slot].convert(base, info.dynamicValue(slot, of: object)) else {
        return false
      }
    } catch {
      return false
    }
    if logged.withLock({ $0.insert(slot).inserted }) {
      SharedLogger.forRealms.notice(
        """
        '\(info.className).\(property.name)' is nil in an object that a newer release has written: it reads \
        as its default.
        """)
    }
    return true
  }
}

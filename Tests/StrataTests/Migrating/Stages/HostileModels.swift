import Foundation
import Strata
import StrataTestKit
import Synchronization

// Classes with names of tables and columns that are decided at run time. The number of the version
// is four times the seed of the names, plus the schema version.

enum HostileSchema {
  private static let known = Mutex<[Int: HostileNames]>([:])

  static func names(_ number: Int) -> HostileNames {
    known.withLock { known in
      if let names = known[number / 4] { return names }
      let names = HostileNames(seed: number / 4)
      known[number / 4] = names
      return names
    }
  }

  static func types(seed: Int, version: Int) -> [ObjectBase.Type] {
    func classes<V: VersionNumber>(_: V) -> [ObjectBase.Type] {
      let all: [ObjectBase.Type] = [HostileA<V>.self, HostileE<V>.self]
      return version < 2 ? all + [HostileB<V>.self] : all
    }
    let number = versionNumber(4 * seed + version)
    return classes(number)
  }
}

final class HostileA<V: VersionNumber>: Object {
  @Persisted var number = 0
  @Persisted var numberText = ""
  @Persisted var text = "text"
  @Persisted var any: AnyRealmValue
  @Persisted var link: HostileB<V>?
  @Persisted var list: List<String>
  @Persisted var set: MutableSet<Int?>
  @Persisted var map: Map<String, HostileB<V>?>
  @Persisted var part: HostileE<V>?
  @Persisted var parts: List<HostileE<V>>

  private class var names: HostileNames { HostileSchema.names(V.value) }

  override class func className() -> String { names.classNames[0] }
  override class func indexedProperties() -> [String] { V.value % 4 == 0 ? ["number"] : [] }

  override class func ignoredProperties() -> [String] {
    switch V.value % 4 {
    case 0: ["numberText"]
    case 1: ["number"]
    default: ["number", "link", "map"]
    }
  }

  /// In the second version `number` is a text, and `text` has another name.
  override class func propertiesMapping() -> [String: String] {
    let columns = names.columns
    let all = [
      "number": columns[0], "numberText": columns[0],
      "text": V.value % 4 == 0 ? columns[1] : columns[9],
      "any": columns[2], "link": columns[3], "list": columns[4], "set": columns[5],
      "map": columns[6], "part": columns[7], "parts": columns[8],
    ]
    return all.filter { !ignoredProperties().contains($0.key) }
  }
}

final class HostileB<V: VersionNumber>: Object {
  @Persisted var number = 0

  override class func className() -> String { HostileSchema.names(V.value).classNames[1] }
  override class func propertiesMapping() -> [String: String] {
    ["number": HostileSchema.names(V.value).columns[1]]
  }
}

final class HostileE<V: VersionNumber>: EmbeddedObject {
  @Persisted var text = ""

  override class func className() -> String { HostileSchema.names(V.value).classNames[2] }
  override class func propertiesMapping() -> [String: String] {
    ["text": HostileSchema.names(V.value).columns[0]]
  }
}

import Foundation
import Strata
import StrataTestKit
import Synchronization
import TestKit

/// The classes of ``RandomModels`` in one version: a function of its number.
struct RandomVersion: Sendable, CustomStringConvertible {
  struct Class: Sendable {
    /// The columns of the properties that the class has.
    var columns: [String: String]
    var ignored: [String]
    var indexed: [String]
    var compoundIndexes: [[String]]
    var primaryKey: String?
  }

  /// Enough for pairs that are new; each makes classes that stay as long as the process.
  static let count = 400

  let classes: [String: Class]
  let isEInside: Bool
  let types: [ObjectBase.Type]

  /// The classes, each property with its column.
  var description: String {
    classes.sorted { $0.key < $1.key }.map { name, properties in
      let columns = properties.columns.sorted { $0.value < $1.value }
      let key = properties.primaryKey.map { ", key \($0)" } ?? ""
      return "\n    \(name)\(name == "E" && isEInside ? " (embedded)" : "")\(key): "
        + columns.map { "\($0.value) = \($0.key)" }.joined(separator: ", ")
    }
    .joined()
  }

  // MARK: Versions by number

  private static let known = Mutex<[Int: RandomVersion]>([:])

  static func of(_ number: Int) -> RandomVersion {
    if let version = known.withLock({ $0[number] }) { return version }
    let made = make(number)
    return known.withLock { versions in
      versions[number] = made
      return made
    }
  }

  private static func make(_ number: Int) -> RandomVersion {
    var random = SplitMix64(seed: UInt64(number) &+ 0xA5A5)
    let hasC = Int.random(in: 0..<4, using: &random) > 0
    let hasE = Int.random(in: 0..<5, using: &random) > 0
    let isEInside = Bool.random(using: &random)
    var classes: [String: Class] = [:]
    for name in ["A", "B"] + (hasC ? ["C"] : []) + (hasE ? ["E"] : []) {
      let isInside = name == "E" && isEInside
      let properties = isInside ? PropertyPool.ofEInside : PropertyPool.ofObjects
      let usable = properties.filter { property in
        switch property.target {
        case "C": hasC
        case "E": hasE && !isEInside && name != "E"
        case "EInside": hasE && isEInside
        default: true
        }
      }
      classes[name] = makeClass(usable, isInside ? properties : PropertyPool.ofObjects, &random)
    }
    return RandomVersion(
      classes: classes, isEInside: isEInside, types: types(number, hasC, hasE, isEInside))
  }

  private static func makeClass(
    _ usable: [PropertyPool.Entry], _ all: [PropertyPool.Entry], _ random: inout SplitMix64
  ) -> Class {
    var left = usable
    var columns: [String: String] = [:]
    var keys: [String] = []
    var indexed: [String] = []
    for column in PropertyPool.columns where Int.random(in: 0..<5, using: &random) > 0 {
      // Half of the time one that the column often has, so that values survive.
      let favourites = left.filter { PropertyPool.favourites[column]?.contains($0.name) == true }
      let isFavourite = Int.random(in: 0..<10, using: &random) < 6
      guard let entry = (isFavourite ? favourites : left).randomElement(using: &random) else {
        continue
      }
      left.removeAll { $0.name == entry.name }
      columns[entry.name] = column
      if PropertyPool.keys.contains(entry.name) { keys.append(entry.name) }
      if PropertyPool.indexable.contains(entry.name), Bool.random(using: &random) {
        indexed.append(entry.name)
      }
    }
    let isEInside = all.count == PropertyPool.ofEInside.count
    let hasKey = !isEInside && Int.random(in: 0..<4, using: &random) == 0
    return Class(
      columns: columns, ignored: all.map(\.name).filter { columns[$0] == nil },
      indexed: indexed.sorted(), compoundIndexes: compoundIndexes(of: columns),
      primaryKey: hasKey ? keys.sorted().randomElement(using: &random) : nil)
  }

  /// Of the properties in columns that a class has in most versions: indexes over what stays, what
  /// goes, what is retyped and what is renamed.
  private static func compoundIndexes(of columns: [String: String]) -> [[String]] {
    let names = columns.sorted { $0.value < $1.value }.map(\.key)
      .filter { PropertyPool.compoundIndexable.contains($0) }
    guard names.count > 1 else { return [] }
    let all = [Array(names.prefix(2)), Array(names.suffix(2).reversed())]
    return columns.count.isMultiple(of: 3) ? [all[0]] : all[0] == all[1] ? [all[0]] : all
  }

  // MARK: Classes of a version

  private static func types(
    _ number: Int, _ hasC: Bool, _ hasE: Bool, _ isEInside: Bool
  ) -> [ObjectBase.Type] {
    func classes<V: VersionNumber>(_: V) -> [ObjectBase.Type] {
      var types: [ObjectBase.Type] = [RandomA<V>.self, RandomB<V>.self]
      if hasC { types.append(RandomC<V>.self) }
      if hasE { types.append(isEInside ? RandomEInside<V>.self : RandomE<V>.self) }
      return types
    }
    let version = versionNumber(number)
    return classes(version)
  }
}

/// The properties that a version chooses from.
enum PropertyPool {
  struct Entry: Sendable {
    var name: String
    /// The class that only some versions have.
    var target: String?
  }

  static let columns = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "_id"]

  static let favourites: [String: Set<String>] = [
    "p0": ["int1", "int2", "intOptional1", "intOptional2"],
    "p1": ["string1", "string2", "stringOptional1", "stringOptional2"],
    "p2": ["double", "doubleOptional", "date", "dateOptional", "data", "dataOptional"],
    "p3": ["toA1", "toA2", "any1"],
    "p4": ["toE", "toEInside1"],
    "p5": ["ints", "intsOptional", "manyA", "manyE", "manyEInside"],
    "p6": ["mapOfE", "mapOfEInside", "intMap", "stringMap", "mapOfA", "anyMap"],
    "p7": ["any1", "any2", "anys", "setOfB", "anySet"],
    "p8": ["string1", "stringOptional1", "int1", "intOptional1", "bool", "boolOptional"],
  ]
  static let keys: Set<String> = [
    "int1", "int2", "intOptional1", "string1", "string2", "stringOptional1", "uuid", "objectId",
  ]
  static let indexable: Set<String> = [
    "int1", "intOptional1", "string1", "stringOptional2", "bool", "date", "uuid", "any1",
  ]

  static let compoundIndexable: Set<String> = [
    "int1", "int2", "intOptional1", "double", "doubleOptional", "string1", "string2",
    "stringOptional1", "bool", "boolOptional", "date", "uuid", "objectId", "toA1", "toA2", "toB",
  ]

  static let ofObjects = entries(
    """
    int1 int2 intOptional1 intOptional2 bool boolOptional double doubleOptional float string1 string2 \
    stringOptional1 stringOptional2 data dataOptional date dateOptional uuid uuidOfEach objectId \
    decimal decimalOptional any1 any2 toA1 toA2 toB toC toE toEInside1 toEInside2 ints intsOptional \
    strings manyA manyB manyC manyE manyEInside anys intSet stringSet setOfB anySet intMap stringMap \
    mapOfA mapOfE mapOfEInside anyMap
    """)
  static let ofEInside = entries(
    """
    int1 int2 intOptional1 double string1 string2 stringOptional1 data date uuidOfEach any1 toA1 toB \
    ints manyB intMap
    """)

  private static func entries(_ names: String) -> [Entry] {
    names.split(separator: " ").map { name in
      let target: String? =
        switch name {
        case "toC", "manyC": "C"
        case "toE", "manyE", "mapOfE": "E"
        case "toEInside1", "toEInside2", "manyEInside", "mapOfEInside": "EInside"
        default: nil
        }
      return Entry(name: String(name), target: target)
    }
  }
}

import Foundation
import StrataSchema
import StrataStudio

/// The Swift names for the names in a file, which can be any text.
///
/// A valid Swift name stays. An invalid one is replaced, and the source declares its name in the
/// file.
struct SwiftNames {
  /// The names by the originals.
  private var names: [StoredText: String] = [:]

  /// The names of classes. The names of types that the sources use are reserved.
  init(classes: [String]) {
    self.init(classes, taken: Self.types, suffix: "Object", fallback: "Class", storage: nil)
  }

  /// The names of properties. Reserved are the members of `Object`, and the storage that
  /// `@Persisted` declares beside each property: `_id` beside `id`.
  init(properties: [String]) {
    self.init(
      properties, taken: Self.members, suffix: "Value", fallback: "property", storage: "_")
  }

  /// - Parameter storage: The prefix of the second declaration that comes with each name; nil for
  ///   none.
  private init(
    _ originals: [String], taken: Set<String>, suffix: String, fallback: String, storage: String?
  ) {
    var used = taken
    var others: [String] = []
    func isFree(_ name: String) -> Bool {
      Self.isIdentifier(name) && !used.contains(name)
        && storage.map { !used.contains($0 + name) } ?? true
    }
    func use(_ name: String, for original: String) {
      used.insert(name)
      if let storage { used.insert(storage + name) }
      names[StoredText(original)] = name
    }
    for original in originals {
      if isFree(original) {
        use(original, for: original)
      } else {
        others.append(original)
      }
    }
    var number = 0
    for original in others {
      var name = original + suffix
      while !isFree(name) {
        number += 1
        name = "\(fallback)\(number)"
      }
      use(name, for: original)
    }
  }

  /// The name in Swift, without backticks.
  func name(of original: String) -> String { names[StoredText(original)] ?? original }

  /// The name in a declaration: a keyword is in backticks.
  func declaration(of original: String) -> String {
    let name = name(of: original)
    return Self.keywords.contains(name) ? "`\(name)`" : name
  }

  /// Whether a name is a valid identifier: a letter, after optional underscores, and then only
  /// letters, digits and underscores, in composed form (NFC).
  private static func isIdentifier(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    guard let first = scalars.first(where: { $0 != "_" }), first.properties.isXIDStart else {
      return false
    }
    return scalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
      && name.precomposedStringWithCanonicalMapping.utf8.elementsEqual(name.utf8)
  }

  /// The text as a Swift string literal.
  static func literal(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : PlainText.of(String(scalar))
    }
    return "\"\(escaped.joined())\""
  }

  private static let types: Set<String> = [
    "Any", "AnyObject", "AnyRealmValue", "Array", "Bool", "Data", "Date", "Decimal128",
    "Dictionary",
    "Double", "EmbeddedObject", "Float", "Foundation", "Int", "List", "Map", "MutableSet", "Never",
    "Object", "ObjectBase", "ObjectId", "Optional", "Persisted", "Projection", "Protocol", "Query",
    "Realm", "Results", "Self", "Set", "Strata", "String", "Type", "UUID", "Void",
  ]

  private static let members: Set<String> = [
    "className", "compoundIndexes", "debugDescription", "description", "freeze", "hash",
    "hashValue",
    "ignoredProperties",
    "indexedProperties", "init", "isFrozen", "isInvalidated", "isSameObject", "objectSchema",
    "observe",
    "primaryKey", "propertiesMapping", "realm", "self", "setValue", "thaw", "value",
  ]

  private static let keywords: Set<String> = [
    "actor", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
    "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for",
    "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "static",
    "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
    "where", "while",
  ]
}

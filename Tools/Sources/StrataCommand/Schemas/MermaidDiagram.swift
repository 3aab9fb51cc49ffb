import StrataSchema
import StrataStudio

/// A class diagram in the language of Mermaid, which GitHub renders.
///
/// Each class lists its properties. Each property that leads to another class is an arrow: an open
/// one for a link, and one with a filled diamond for an embedded object. The end of the arrow has
/// the multiplicity.
enum MermaidDiagram {
  static func lines(_ document: SchemaDocument) -> [String] {
    let classes = document.schema.objectSchema
    let names = MermaidNames(classes)
    var lines = ["classDiagram"]
    for object in classes { lines += block(object, kind: document.kind(of: object), names) }
    for object in classes {
      for property in object.properties {
        if let arrow = arrow(of: property, in: object, document, names) { lines.append(arrow) }
      }
    }
    return lines
  }

  private static func block(
    _ object: ObjectSchema, kind: String, _ names: MermaidNames
  ) -> [String] {
    var members = kind == "object" ? [] : ["<<\(kind)>>"]
    members += object.properties.map { property in
      // Mermaid shows text between tildes in angle brackets.
      let type = property.type(generic: ("~", "~"), className: MermaidNames.text)
      let key = property.name == object.primaryKey ? ", primary key" : ""
      return "\(type) \(MermaidNames.text(property.name))\(key)"
    }
    let name = names.declaration(of: object.className)
    guard !members.isEmpty else { return ["  class \(name)"] }
    return ["  class \(name) {"] + members.map { "    " + $0 } + ["  }"]
  }

  /// The arrow of a property; nil for a value, and for a link to a class that the file doesn't
  /// have.
  private static func arrow(
    of property: Property, in object: ObjectSchema, _ document: SchemaDocument,
    _ names: MermaidNames
  ) -> String? {
    guard property.type == .object, let target = property.objectClassName,
      let first = names.identifier(of: object.className), let second = names.identifier(of: target)
    else { return nil }
    let isPart = document.schema[target]?.isEmbedded == true
    let count = property.collection == nil ? "0..1" : "*"
    let label = MermaidNames.text(property.name)
    return "  \(first) \(isPart ? "*--" : "-->") \"\(count)\" \(second) : \(label)"
  }
}

/// The names of classes in Mermaid's syntax.
struct MermaidNames {
  private var identifiers: [String: String] = [:]

  /// Keeps names of letters and digits. All others get a number and a label.
  init(_ classes: [ObjectSchema]) {
    var used = Set(classes.lazy.map(\.className).filter(Self.isPlain))
    var number = 0
    for name in classes.lazy.map(\.className) {
      if Self.isPlain(name) {
        identifiers[name] = name
        continue
      }
      repeat { number += 1 } while used.contains("Class\(number)")
      used.insert("Class\(number)")
      identifiers[name] = "Class\(number)"
    }
  }

  func identifier(of name: String) -> String? { identifiers[name] }

  func declaration(of name: String) -> String {
    let identifier = identifiers[name] ?? ""
    return identifier == name ? name : "\(identifier)[\"\(Self.text(name))\"]"
  }

  /// The keywords of Mermaid's class diagrams.
  private static let reserved: Set<String> = [
    "class", "classdiagram", "namespace", "direction", "note", "link", "links", "click", "callback",
    "href", "style", "classdef", "cssclass", "end", "default", "acctitle", "accdescr", "title",
    "tb", "bt", "lr", "rl", "call", "as", "for",
  ]

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
      && !reserved.contains(name.lowercased())
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// Escapes a text for Mermaid: letters and digits stay, and other ASCII characters become numeric
  /// codes.
  static func text(_ text: String) -> String {
    PlainText.of(text).unicodeScalars.map { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", " ": "\(scalar)"
      case "\u{0}"..."\u{7F}": "#\(scalar.value);"
      default: "\(scalar)"
      }
    }.joined()
  }
}

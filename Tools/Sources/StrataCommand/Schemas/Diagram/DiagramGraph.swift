import StrataSchema
import StrataStudio

/// The classes of a file as boxes, and the links between them as arrows.
struct DiagramGraph {
  struct Box {
    var className: String
    /// The name as the diagram shows it.
    var name: String
    /// `embedded`, `asymmetric`, or "" for an ordinary class.
    var kind: String
    var rows: [(name: String, type: String, isKey: Bool)]
    var width: Double
    var height: Double
  }

  struct Arrow: Hashable {
    /// The indexes of the boxes.
    var from: Int
    var to: Int
    var property: String
    var isMany: Bool
    /// Whether the target is an embedded object.
    var isPart: Bool
  }

  let boxes: [Box]
  let arrows: [Arrow]

  static let headHeight = 28.0
  static let rowHeight = 20.0

  init(_ document: SchemaDocument) {
    let classes = document.schema.objectSchema
    boxes = classes.map { Box($0, kind: document.kind(of: $0)) }
    let positions = Dictionary(classes.enumerated().map { ($1.className, $0) }) { first, _ in first
    }
    arrows = classes.enumerated().flatMap { from, object in
      object.properties.compactMap { property in
        guard property.type == .object, let target = property.objectClassName,
          let to = positions[target]
        else { return nil }
        return Arrow(
          from: from, to: to, property: property.name, isMany: property.collection != nil,
          isPart: document.schema[target]?.isEmbedded == true)
      }
    }
  }
}

extension DiagramGraph.Box {
  init(_ object: ObjectSchema, kind: String) {
    className = object.className
    name = PlainText.of(className)
    self.kind = kind == "object" ? "" : kind
    rows = object.properties.map {
      (PlainText.of($0.name), PlainText.of($0.swiftType), $0.name == object.primaryKey)
    }
    let head = Self.width(name, 7.4) + (self.kind.isEmpty ? 0 : Self.width(self.kind, 6.4) + 16)
    let widest = rows.map { Self.width($0.name, 6.8) + Self.width($0.type, 6.2) + 20 }.max() ?? 0
    width = max(140, head + 24, widest + 24).rounded(.up)
    height =
      DiagramGraph.headHeight + DiagramGraph.rowHeight * Double(rows.count)
      + (rows.isEmpty ? 0 : 8)
  }

  /// The approximate width in common fonts. Wide characters count as two columns.
  private static func width(_ text: String, _ column: Double) -> Double {
    Double(DisplayWidth.of(text)) * column
  }
}

import StrataSchema

extension Property {
  /// The type as a class declares it: `String?`, `List<Dog>`, `Map<String, Dog?>`.
  ///
  /// A file stores neither the width of an integer nor the enum of a value. The result is `Int`, or
  /// the type of the raw values.
  var swiftType: String { type(generic: ("<", ">")) { $0 } }

  /// The type with other brackets around the element type, and with other spellings of class names.
  func type(
    generic signs: (open: String, close: String), className spell: (String) -> String
  ) -> String {
    let element = element(spell)
    return switch collection {
    case .list: "List\(signs.open)\(element)\(signs.close)"
    case .set: "MutableSet\(signs.open)\(element)\(signs.close)"
    case .map: "Map\(signs.open)String, \(element)\(signs.close)"
    case nil: element
    }
  }

  private func element(_ spell: (String) -> String) -> String {
    let name = type.swiftName ?? spell(objectClassName ?? "")
    return isOptionalInSwift ? name + "?" : name
  }

  /// Links are always optional. Objects in lists and sets never are.
  private var isOptionalInSwift: Bool {
    type == .object ? collection == nil || collection == .map : isOptional
  }
}

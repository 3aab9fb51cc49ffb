import StrataSchema
import TestKit
import Testing

@testable import StrataStudio

/// A generator of random changes, in the form that a page sends.
struct RandomChanges {
  private var random: SplitMix64
  private var nextKey = 100
  /// How many changes the file refused.
  private(set) var refused = 0

  init(_ random: SplitMix64) { self.random = random }

  /// Makes some changes in one request; one that is refused changes nothing.
  mutating func change(_ file: EditingFile) async throws {
    let changes = try await one(file)
    do {
      _ = try await file.editor.change(["changes": .array(changes)])
    } catch let failure as RequestFailure where failure.code == "invalid" {
      // A set that has the element already.
      expectTrue(failure.message.contains("has this element already"), "\(failure.message)")
      refused += 1
    }
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func one(_ file: EditingFile) async throws -> [JSONValue] {
    let identities = try await file.identities()
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      nextKey += 1
      return [
        [
          "create": [
            "class": "Item", "as": "a",
            "values": ["key": .int(nextKey), "name": .text("Item \(nextKey)"), "box": box()],
          ]
        ]
      ]
    case 1 where identities.count > 2, 2 where identities.count > 6:
      return [["delete": ["class": "Item", "id": .int(pick(identities)), "was": [:]]]]
    default: break
    }
    let identity = pick(identities)
    let schema = try await file.reader.open()
    let properties = try schema.objectSchema("Item").properties.filter {
      $0.name != "key" && $0.name != "name"
    }
    let property = pick(properties)
    let value = try #require(
      try await property.name == "box"
        ? file.value("box", of: identity) : file.quickValue(property.name, of: identity))
    var body: [JSONValue.Member] = [
      .init("class", "Item"), .init("id", .int(identity)),
      .init("property", .text(property.name)),
    ]
    func change(_ name: String, _ members: JSONValue.Member...) -> [JSONValue] {
      [.object([.init(name, .object(body + members))])]
    }
    guard let kind = property.collection else {
      // Its own properties, if it is an embedded one.
      if property.name == "box", let box = value["id"], Bool.random(using: &random) {
        let label = value["object"]?["values"]?.array?.first ?? .null
        body = [.init("class", "Box"), .init("id", box), .init("property", "label")]
        return change("set", .init("was", label), .init("to", .text("label \(nextKey)")))
      }
      return change("set", .init("was", value), .init("to", new(property, identities)))
    }
    let elements = value["first"]?.array ?? []
    let new = new(property, identities)
    switch kind {
    case .list:
      guard !elements.isEmpty, elements.count < 15 else {
        return elements.isEmpty
          ? change("insert", .init("at", 0), .init("value", new))
          : change("remove", .init("at", 0), .init("was", elements[0]["value"] ?? .null))
      }
      let at = Int.random(in: 0..<elements.count, using: &random)
      let was = JSONValue.Member("was", elements[at]["value"] ?? .null)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return change("remove", .init("at", .int(at)), was)
      case 1:
        let to = Int.random(in: 0..<elements.count, using: &random)
        return change("move", .init("from", .int(at)), .init("to", .int(to)), was)
      case 2: return change("setAt", .init("at", .int(at)), was, .init("to", new))
      default: return change("insert", .init("at", .int(at)), .init("value", new))
      }
    case .set:
      if elements.count > 2 {
        return change("remove", .init("value", pick(elements)["value"] ?? .null))
      }
      return change("insert", .init("value", new))
    case .map:
      let key = "key \(Int.random(in: 0..<3, using: &random))"
      let found = elements.first { $0["key"] == .text(key) }
      guard let was = found?["value"] else {
        return change("setKey", .init("key", .text(key)), .init("new", true), .init("to", new))
      }
      return Bool.random(using: &random)
        ? change("setKey", .init("key", .text(key)), .init("was", was), .init("to", new))
        : change("removeKey", .init("key", .text(key)), .init("was", was))
    }
  }

  private mutating func box() -> JSONValue {
    [
      "values": [
        "label": .text("box \(Int.random(in: 0..<100, using: &random))"),
        "sizes": [.int(Int.random(in: 0..<9, using: &random)), 2],
        "lid": Bool.random(using: &random) ? .null : ["values": ["colour": "red"]],
      ]
    ]
  }

  /// A value for a property, or for an element.
  private mutating func new(_ property: Property, _ identities: [Int64]) -> JSONValue {
    if property.isNullable, property.type != .object || property.collection != .list,
      Int.random(in: 0..<4, using: &random) == 0, property.collection != .set
    {
      return .null
    }
    let number = Int.random(in: 0..<1000, using: &random)
    let link: JSONValue = ["id": .int(pick(identities))]
    switch property.type {
    case .int: return .int(number)
    case .bool: return .bool(number % 2 == 0)
    case .float, .double: return .number(Double(number) / 4)
    case .string: return .text("text \(number) " + String(repeating: "é", count: number % 300))
    case .data: return ["hex": .text(String(repeating: "0a", count: number))]
    case .date: return .text("20\(10 + number % 89)-02-03 12:00:00.\(100_000_000 + number)")
    case .UUID: return .text("6B28EC45-B29A-4B0A-BD6A-\(100_000_000_000 + number)")
    case .objectId: return .text("\(1000 + number)00000000000000000000")
    case .decimal128: return .text("\(number).50")
    case .object: return property.objectClassName == "Box" ? box() : link
    case .any, .linkingObjects:
      return pick([
        ["type": "int", "value": .int(number)], ["type": "string", "value": "a"],
        ["type": "object", "value": ["class": "Item", "id": link["id"] ?? .null]],
        ["type": property.collection == .set ? "string" : "list", "value": "[1,{\"a\":[]}]"],
      ])
    }
  }
}

import Strata

/// Hundreds of classes, generated from a few generic types that represent digits.
enum ManyClasses {
  static let maxCount = 32 * 32

  /// - Parameter count: At most ``maxCount``.
  static func types(_ count: Int) -> [ObjectBase.Type] {
    var types: [ObjectBase.Type] = []
    for high in digits {
      for low in digits where types.count < count { types.append(pair(high, low)) }
    }
    return types
  }

  static func base(_ count: Int) -> BaseFile {
    BaseFile("\(count)-classes", types(count)) { realm, rows in
      for number in 0..<min(rows, 100) { realm.create(First.self, value: ["number": number]) }
    }
  }

  /// The first class.
  typealias First = Entry<Zero, Zero>

  class Entry<High: Digit, Low: Digit>: Object {
    @Persisted var name = ""
    @Persisted(indexed: true) var number = 0
    @Persisted var amount: Double?
    @Persisted var tags: List<String>

    override class func className() -> String { "Entry\(High.value * 32 + Low.value)" }
  }

  protocol Digit: Sendable {
    static var value: Int { get }
  }

  struct Zero: Digit {
    static var value: Int { 0 }
  }

  private struct Next<Before: Digit>: Digit {
    static var value: Int { Before.value + 1 }
  }

  private static let digits: [any Digit.Type] = {
    var digits: [any Digit.Type] = [Zero.self]
    while let last = digits.last, digits.count < 32 { digits.append(next(last)) }
    return digits
  }()

  private static func next<Before: Digit>(_ digit: Before.Type) -> any Digit.Type {
    Next<Before>.self
  }

  private static func pair<High: Digit, Low: Digit>(
    _ high: High.Type, _ low: Low.Type
  ) -> ObjectBase.Type { Entry<High, Low>.self }
}

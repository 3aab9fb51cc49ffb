/// The smallest meaningful part of a format string: a word, a sign, a literal.
struct FormatToken {
  enum Kind: Equatable {
    case end
    /// A name, or a word of the language, depending on its position.
    case word(FormatKeyword?)
    /// A name, even if it spells a word of the language: `#order`.
    case escapedWord
    /// `$name`
    case variable
    /// `@count`, or any other word after `@`.
    case operation
    case placeholder(FormatPlaceholder)
    /// A text in quotation marks.
    case text(hasEscapes: Bool)
    case number
    case sign(FormatSign)
  }

  var kind: Kind
  /// The offset of its first byte.
  var start: Int
  /// The offset after its last byte.
  var end: Int

  func `is`(_ sign: FormatSign) -> Bool { kind == .sign(sign) }

  func `is`(_ keyword: FormatKeyword) -> Bool { kind == .word(keyword) }

  var comparison: QueryOperator? {
    switch kind {
    case .sign(let sign): sign.comparison
    case .word(let keyword): keyword?.comparison
    default: nil
    }
  }

  var isAnd: Bool { self.is(.and) || self.is(.andSign) }
  var isOr: Bool { self.is(.or) || self.is(.orSign) }
  var isNot: Bool { self.is(.not) || self.is(.notSign) }
}

/// The placeholder of an argument, by the accepted arguments.
enum FormatPlaceholder: Equatable {
  /// `%@`: any value, or a list.
  case any
  /// `%K`: the name of a property.
  case name
  /// `%d`, `%f` and similar ones.
  case number
  /// `%s`
  case text
}

/// The signs of the language, with their spelling as the raw value.
enum FormatSign: String {
  case open = "("
  case close = ")"
  case openList = "{"
  case closeList = "}"
  case openBracket = "["
  case closeBracket = "]"
  case dot = "."
  case comma = ","
  case andSign = "&&"
  case orSign = "||"
  case notSign = "!"
  case assignedEqual = "="
  case equal = "=="
  case notEqual = "!="
  case lessOrGreater = "<>"
  case less = "<"
  case lessOrEqual = "<="
  case equalOrLess = "=<"
  case greater = ">"
  case greaterOrEqual = ">="
  case equalOrGreater = "=>"
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divided = "/"
  case power = "**"
  case assignment = ":="

  var comparison: QueryOperator? {
    switch self {
    case .assignedEqual, .equal: .equal
    case .notEqual, .lessOrGreater: .notEqual
    case .less: .less
    case .lessOrEqual, .equalOrLess: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual, .equalOrGreater: .greaterOrEqual
    default: nil
    }
  }

  var isCalculation: Bool {
    switch self {
    case .plus, .minus, .times, .divided, .power, .assignment: true
    default: false
    }
  }
}

/// The words of the language, in any case, with their spelling as the raw value.
enum FormatKeyword: String, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case any = "ANY"
  case some = "SOME"
  case none = "NONE"
  case all = "ALL"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case `in` = "IN"
  case between = "BETWEEN"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case like = "LIKE"
  case matches = "MATCHES"
  case text = "TEXT"
  case geoWithin = "GEOWITHIN"
  case `self` = "SELF"
  case subquery = "SUBQUERY"
  case `true` = "TRUE"
  case yes = "YES"
  case `false` = "FALSE"
  case no = "NO"
  case null = "NULL"
  case `nil` = "NIL"
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
  case sort = "SORT"
  case distinct = "DISTINCT"
  case limit = "LIMIT"

  /// The operator with the same spelling.
  var comparison: QueryOperator? { QueryOperator(rawValue: rawValue) }

  var quantifier: QueryQuantifier? {
    switch self {
    case .any, .some: .any
    case .none: .no
    case .all: .all
    default: nil
    }
  }

  var literal: QueryValue? {
    switch self {
    case .true, .yes: .bool(true)
    case .false, .no: .bool(false)
    case .null, .nil: .null
    default: nil
    }
  }

  /// Whether the word is no name where an operand may begin. Elsewhere it is a name like any other,
  /// so that properties may be called `text`, `first` or `limit`.
  var isReserved: Bool {
    switch self {
    case .and, .or, .not, .any, .some, .none, .all, .truePredicate, .falsePredicate: true
    default: false
    }
  }

  /// The method that replaces this word of Realm's query language.
  var method: String? {
    switch self {
    case .sort: "sorted(by:)"
    case .distinct: "distinct(by:)"
    case .limit: "limit(_:)"
    default: nil
    }
  }
}

extension FormatKeyword {
  /// Creates the keyword that some bytes of a text spell.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count <= Self.maxLength, let keyword = Self.keywords[Self.key(of: bytes)] else {
      return nil
    }
    self = keyword
  }

  private static let maxLength = 14
  private static let keywords = Dictionary(
    uniqueKeysWithValues: allCases.map { (key(of: Array($0.rawValue.utf8)[...]), $0) })

  /// Returns the bytes as one number, with letters in upper case. The removed bit doesn't
  /// distinguish a letter from any other byte of a name.
  private static func key(of bytes: ArraySlice<UInt8>) -> UInt128 {
    bytes.reduce(0) { $0 << 8 | UInt128($1 & 0xDF) }
  }
}

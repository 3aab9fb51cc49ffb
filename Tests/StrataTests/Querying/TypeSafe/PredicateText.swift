import StrataQuery

/// Conditions as text, so that tests show what they expect.
extension QueryPredicate {
  var text: String {
    switch self {
    case .constant(let value): "\(value)"
    case .and(let parts): "(" + parts.map(\.text).joined(separator: " AND ") + ")"
    case .or(let parts): "(" + parts.map(\.text).joined(separator: " OR ") + ")"
    case .not(let part): "NOT \(part.text)"
    case .invalid(let problem): "! \(problem.message)"
    case .comparison(let comparison): comparison.text
    }
  }
}

extension QueryComparison {
  fileprivate var text: String {
    var letters = options.contains(.caseInsensitive) ? "c" : ""
    if options.contains(.diacriticInsensitive) { letters += "d" }
    let sign = `operator`.rawValue + (letters.isEmpty ? "" : "[\(letters)]")
    let prefix = quantifier.map { "\($0.rawValue) " } ?? ""
    return "\(prefix)\(left.text) \(sign) \(right.text)"
  }
}

extension QueryOperand {
  fileprivate var text: String {
    switch self {
    case .path(let path): path.text
    case .value(let value): value.text
    case .list(let values): "{\(values.map(\.text).joined(separator: ", "))}"
    case .subquery(let subquery):
      "SUBQUERY(\(subquery.collection.text), $\(subquery.variable), "
        + "\(subquery.predicate.text)).@count"
    }
  }
}

extension QueryPath {
  fileprivate var text: String {
    let names = (variable.map { ["$\($0)"] } ?? []) + parts.map(\.text)
    return names.isEmpty ? "SELF" : names.joined(separator: ".")
  }
}

extension QueryPart {
  fileprivate var text: String {
    switch self {
    case .property(let name): name
    case .operation(let operation): operation.rawValue
    case .keys: "@allKeys"
    case .values: "@allValues"
    case .key(let key): "['\(key)']"
    case .index(let index): "[\(index)]"
    case .any: "[ANY]"
    case .invalid(let problem): "<\(problem.message)>"
    }
  }
}

extension QueryValue {
  fileprivate var text: String {
    switch self {
    case .null: "NULL"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)f"
    case .double(let value): "\(value)"
    case .decimal(let text): "decimal \(text)"
    case .string(let text): "'\(text)'"
    case .data(let bytes): "bytes \(bytes)"
    case .date(let text): "date \(text)"
    case .uuid(let text), .objectId(let text): text
    case .object(let object): "<\(object.className)>"
    case .members(let members): "<\(members.className)>"
    case .nested(let text): text
    case .shape(let shape): "\(shape)"
    case .unsupported(let name): "<? \(name)>"
    }
  }
}

import IssueReporting
import StrataStorage

extension Map {
  /// The value of a key, as access by name gives it: a number as an `NSNumber`; nil when there is
  /// none.
  public func value(forKey key: String) -> Any? { boxedNumber(unboxedValue(key)) }

  /// Sets the value of a key, or removes the key for nil. A value that doesn't fit is a mistake as
  /// with `object["x"] = value`: in a realm it is what `write` throws, in memory it is reported.
  public func setValue(_ value: Any?, forKey key: String) {
    let key = Key(_text: key)
    guard let value = unwrapped(value) else { return removeObject(for: key) }
    do throws(RealmError) {
      guard let converted = try Value._convertElement(value) else {
        let type = "\(Swift.type(of: value))"
        let rest = "of type '\(type)' for a value of 'Map<\(Key.self), \(Value.self)>'."
        throw RealmError(
          .fail, "Invalid value '\(value)' \(rest)", logged: "Invalid value \(rest)")
      }
      updateValue(converted, forKey: key)
    } catch {
      noteMistake(error)
    }
  }

  private func noteMistake(_ error: RealmError) {
    if let rows {
      if rows.canWrite() { rows.note(error) }
    } else {
      reportIssue("\(error.message)")
    }
  }
}

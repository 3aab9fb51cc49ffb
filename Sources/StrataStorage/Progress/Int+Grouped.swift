extension Int {
  /// `1,234,567`.
  package var grouped: String {
    var digits = Array(String(self).reversed())
    for position in stride(from: 3, to: digits.count, by: 3).reversed() {
      digits.insert(",", at: position)
    }
    return String(digits.reversed())
  }
}

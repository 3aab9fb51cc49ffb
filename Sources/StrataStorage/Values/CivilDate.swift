/// A day of the proleptic Gregorian calendar.
///
/// Days are numbered from 0000-01-01, which is day 0. Only the years 0...9999 are supported.
struct CivilDate {
  /// The year, 0...9999.
  var year: UInt32
  /// The month, 1...12.
  var month: UInt32
  /// The day of the month, 1...31.
  var day: UInt32

  // Years are counted from the first of March here. Then the leap day is the last day of its year,
  // and the months before it have the same lengths every year, 153 days for each five months.
  // Counting begins 400 years early, so that the first months of the year 0 have numbers as well.

  @inline(__always)
  init(dayNumber: UInt32) {
    let day = dayNumber &+ Self.daysBeforeYearZero
    let century = (4 &* day &+ 3) / 146_097
    let dayOfCentury = day &- (146_097 &* century) / 4
    let yearOfCentury = (4 &* dayOfCentury &+ 3) / 1461
    let dayOfYear = dayOfCentury &- (1461 &* yearOfCentury) / 4
    let month = (5 &* dayOfYear &+ 2) / 153
    let startsNewYear = month >= 10
    self.year = 100 &* century &+ yearOfCentury &+ (startsNewYear ? 1 : 0) &- Self.yearsEarly
    self.month = startsNewYear ? month &- 9 : month &+ 3
    self.day = dayOfYear &- (153 &* month &+ 2) / 5 &+ 1
  }

  /// Creates the day with these numbers; nil if the calendar has no such day.
  @inline(__always)
  init?(year: UInt32, month: UInt32, day: UInt32) {
    guard year <= 9999, month >= 1, month <= 12, day >= 1 else { return nil }
    guard day <= Self.dayCount(of: month, in: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The number of days since 0000-01-01.
  var dayNumber: UInt32 {
    @inline(__always) get {
      let marchYear = (month > 2 ? year : year &- 1) &+ Self.yearsEarly
      let marchMonth = month > 2 ? month &- 3 : month &+ 9
      let century = marchYear / 100
      let yearOfCentury = marchYear % 100
      return (146_097 &* century) / 4 &+ (1461 &* yearOfCentury) / 4
        &+ (153 &* marchMonth &+ 2) / 5 &+ day &- 1 &- Self.daysBeforeYearZero
    }
  }

  /// The calendar repeats itself after 400 years.
  private static let yearsEarly: UInt32 = 400

  /// The days from the first of March 400 years earlier to the first of January of the year 0.
  private static let daysBeforeYearZero: UInt32 = 146_097 - 60

  @inline(__always)
  private static func dayCount(of month: UInt32, in year: UInt32) -> UInt32 {
    if month == 2 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      return isLeap ? 29 : 28
    }
    // 31 and 30 alternate, starting again in August.
    return 30 &+ ((month &+ month / 8) & 1)
  }
}

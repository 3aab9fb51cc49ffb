import ArgumentParser
import Strata

/// The options for values that a file of Strata can't hold: one option for each kind of value.
struct ConversionOptions: ParsableArguments {
  enum NaN: String, ExpressibleByArgument, CaseIterable {
    case asNil = "nil"
    case asNilOrZero = "nil-or-zero"
  }

  enum Dates: String, ExpressibleByArgument, CaseIterable {
    case asNil = "nil"
    case clamped = "clamp"
  }

  enum Texts: String, ExpressibleByArgument, CaseIterable {
    case repaired = "repair"
  }

  enum Values: String, ExpressibleByArgument, CaseIterable {
    case asNil = "nil"
  }

  enum Classes: String, ExpressibleByArgument, CaseIterable {
    case leftOut = "leave-out"
  }

  @Option(help: "Numbers that are NaN; 'nil-or-zero' makes them 0 where a value is required.")
  var nan: NaN?
  @Option(help: "Dates outside of the years 0 to 9999; 'clamp' makes them the nearest date inside.")
  var dates: Dates?
  @Option(help: "Texts that are no UTF-8; 'repair' replaces what can't be read by U+FFFD.")
  var invalidText: Texts?
  @Option(help: "Links to objects that the file doesn't have.")
  var danglingLinks: Values?
  @Option(help: "Sets, and too many levels, inside of an AnyRealmValue.")
  var nestedCollections: Values?
  @Option(help: "Classes of objects that Realm only sends to a server.")
  var asymmetricClasses: Classes?
  @Option(help: "Classes in which a synchronised file keeps accounts of its own.")
  var bookkeepingClasses: Classes?

  /// The same choices as a set, as the library takes them.
  var choices: Set<ConversionChoice> {
    let choices: [ConversionChoice?] = [
      nan.map { .nan($0 == .asNil ? .asNil : .asNilOrZero) },
      dates.map { .dates($0 == .asNil ? .asNil : .clamped) },
      invalidText.map { _ in .invalidText(.repaired) },
      danglingLinks.map { _ in .danglingLinks(.asNil) },
      nestedCollections.map { _ in .nestedCollections(.asNil) },
      asymmetricClasses.map { _ in .asymmetricClasses(.leftOut) },
      bookkeepingClasses.map { _ in .bookkeepingClasses(.leftOut) },
    ]
    return Set(choices.compactMap(\.self))
  }
}

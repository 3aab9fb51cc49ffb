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
    var choices: Set<ConversionChoice> = []
    switch nan {
    case .asNil: choices.insert(.nan(.asNil))
    case .asNilOrZero: choices.insert(.nan(.asNilOrZero))
    case nil: break
    }
    switch dates {
    case .asNil: choices.insert(.dates(.asNil))
    case .clamped: choices.insert(.dates(.clamped))
    case nil: break
    }
    if invalidText != nil { choices.insert(.invalidText(.repaired)) }
    if danglingLinks != nil { choices.insert(.danglingLinks(.asNil)) }
    if nestedCollections != nil { choices.insert(.nestedCollections(.asNil)) }
    if asymmetricClasses != nil { choices.insert(.asymmetricClasses(.leftOut)) }
    if bookkeepingClasses != nil { choices.insert(.bookkeepingClasses(.leftOut)) }
    return choices
  }
}

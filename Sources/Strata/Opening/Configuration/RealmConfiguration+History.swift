import StrataSchema
import StrataStorage

extension RealmConfiguration {
  /// The way in which the changes of a file are kept, for programs that must hear of each one
  /// later: see ``RealmConfiguration/history``.
  public struct History: Sendable {
    /// The name of who writes, for `HistoryTransaction.author`, where `write(author:)` doesn't say
    /// it.
    public var author: String?

    /// Whether rows that other programs change by SQL are noted, too: by triggers, which cost them
    /// most of the time of a change, and the library a little.
    public var notesOtherPrograms: Bool

    /// The classes whose updates keep the old values of what was changed.
    public var classesWithOldValues: [ObjectBase.Type]

    /// The time that transactions stay at least. Consumers may keep them longer.
    public var retention: Retention

    /// Describes a history.
    public init(
      author: String? = nil, notesOtherPrograms: Bool = true,
      classesWithOldValues: [ObjectBase.Type] = [], retention: Retention = Retention()
    ) {
      self.author = author
      self.notesOtherPrograms = notesOtherPrograms
      self.classesWithOldValues = classesWithOldValues
      self.retention = retention
    }

    /// Ends the history of a file, and deletes what there is of it.
    public static let off: History = {
      var history = History()
      history.isOff = true
      return history
    }()

    private(set) var isOff = false

    /// The time that transactions stay.
    ///
    /// A transaction goes when it is older than `age` or further back than `count`, and each
    /// consumer has it behind it; a consumer that took nothing for `consumerAge` isn't waited for.
    public struct Retention: Sendable, Equatable {
      /// A week, unless it is set.
      public var age: Duration
      /// A million, unless it is set.
      public var count: Int
      /// Thirty days, unless it is set.
      public var consumerAge: Duration

      /// Describes how long transactions stay.
      public init(
        age: Duration = .seconds(604_800), count: Int = 1_000_000,
        consumerAge: Duration = .seconds(2_592_000)
      ) {
        self.age = age
        self.count = count
        self.consumerAge = consumerAge
      }
    }
  }
}

extension RealmConfiguration.History {
  /// The settings as the file keeps them; nil to keep no history.
  func settings(of discovered: DiscoveredSchema) -> HistorySettings? {
    guard !isOff else { return nil }
    var settings = HistorySettings()
    settings.notesOtherPrograms = notesOtherPrograms
    for info in discovered.classes.values where !info.declarations.keptOnDeletion.isEmpty {
      settings.kept[info.className] = info.declarations.keptOnDeletion.compactMap { name in
        info.slot(name).map { info.properties[$0].columnName }
      }
    }
    settings.classesWithOldValues = Set(classesWithOldValues.map { $0.className() })
    settings.retention = HistorySettings.Retention(
      age: retention.age / .seconds(1), count: retention.count,
      consumerAge: retention.consumerAge / .seconds(1))
    return settings
  }
}

extension ClassInfo {
  /// A sentence for each name in ``ClassDeclarations/keptOnDeletion`` that can't be kept.
  var problemsOfKeptProperties: [String] {
    declarations.keptOnDeletion.compactMap { name in
      guard let slot = slot(name) else {
        return "Property '\(className).\(name)' is kept on deletion, but does not exist."
      }
      let property = properties[slot]
      let what: String? =
        switch property.collection {
        case .list: "a list"
        case .set: "a set"
        case .map: "a map"
        case nil where property.isComputed: "not a part of the file"
        case nil: targets[slot] is EmbeddedObject.Type ? "an embedded object" : nil
        }
      return what.map { "Property '\(className).\(name)' can't be kept: it is \($0)." }
    }
  }
}

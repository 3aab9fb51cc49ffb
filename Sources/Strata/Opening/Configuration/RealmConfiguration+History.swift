import StrataSchema
import StrataStorage

extension RealmConfiguration {
  /// The settings of a file's history, for programs that process every change later: see
  /// ``RealmConfiguration/history``.
  public struct History: Sendable {
    /// The default author of transactions, for `HistoryTransaction.author`. `write(author:)`
    /// overrides it.
    public var author: String?

    /// Whether changes that other programs make with SQL are recorded as well. The changes are
    /// recorded by triggers. They take most of the time of such a change, and slow down changes by
    /// the library a little.
    public var notesOtherPrograms: Bool

    /// The classes whose updates record the old values of changed properties.
    public var classesWithOldValues: [ObjectBase.Type]

    /// The time for which transactions are kept at least. Consumers may keep them longer.
    public var retention: Retention

    /// Creates the settings of a history.
    public init(
      author: String? = nil, notesOtherPrograms: Bool = true,
      classesWithOldValues: [ObjectBase.Type] = [], retention: Retention = Retention()
    ) {
      self.author = author
      self.notesOtherPrograms = notesOtherPrograms
      self.classesWithOldValues = classesWithOldValues
      self.retention = retention
    }

    /// The setting that ends the history of a file and deletes its records.
    public static let off: History = {
      var history = History()
      history.isOff = true
      return history
    }()

    private(set) var isOff = false

    /// The time for which transactions are kept.
    ///
    /// A transaction is deleted when it is older than `age` or is followed by more than `count`
    /// others, and every consumer has processed the transaction. A consumer that has processed
    /// nothing for `consumerAge` is ignored.
    public struct Retention: Sendable, Equatable {
      /// The maximum age. The default is a week.
      public var age: Duration
      /// The maximum number of transactions. The default is a million.
      public var count: Int
      /// The time after which an inactive consumer is ignored. The default is thirty days.
      public var consumerAge: Duration

      /// Creates retention settings.
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
  /// Returns the settings in the form that the file stores; nil to keep no history.
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
  /// The problems of names in ``ClassDeclarations/keptOnDeletion`` that can't be kept, as
  /// sentences.
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

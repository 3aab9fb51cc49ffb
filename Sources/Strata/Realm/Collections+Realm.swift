/// A collection that knows whose it is.
private protocol SessionOwned {
  var owner: Session? { get }
}

extension _CollectionRows {
  fileprivate var owner: Session? { (self as? SessionCollection)?.session }
}

extension List: SessionOwned { fileprivate var owner: Session? { rows?.owner } }
extension MutableSet: SessionOwned { fileprivate var owner: Session? { rows?.owner } }
extension LinkingObjects: SessionOwned { fileprivate var owner: Session? { results?.owner } }

extension Results: SessionOwned {
  fileprivate var owner: Session? {
    switch source {
    case .objects(let objects): objects.session
    case .values(let values): values.rows?.owner
    }
  }
}

extension Realm {
  fileprivate init(_ session: Session) {
    self.init(session: session, configuration: Configuration(openStore: session.store))
  }
}

extension RealmCollection {
  /// The realm that the collection belongs to; nil for one of an object in no realm.
  public var realm: Realm? { (self as? any SessionOwned)?.owner.map { Realm($0) } }
}

extension SectionedResults {
  /// The realm that the elements belong to; nil for those of an object in no realm.
  public var realm: Realm? { keys.results.realm }
}

extension ResultsSection {
  /// The realm that the elements belong to; nil for those of an object in no realm.
  public var realm: Realm? { keys.results.realm }
}

extension Map {
  /// The realm that the map belongs to; nil for one of an object in no realm.
  public var realm: Realm? { rows?.owner.map { Realm($0) } }
}

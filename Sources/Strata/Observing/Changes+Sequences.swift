import StrataStorage

extension RealmCollection {
  /// The collection now, and what changes of it, for a loop.
  ///
  /// - Parameter keyPaths: What counts, as for `observe`; nil for everything.
  public func changes(
    keyPaths: [String]? = nil
  ) -> ChangeSequence<RealmCollectionChange<Self>> {
    ChangeSequence {
      guard let observed = self._observed() else {
        throw RealmError(.fail, ErrorText.unmanagedCollectionNotifications)
      }
      let translate = observed.translation
      return SequenceStart(
        session: observed.session, source: try observed.source(keyPaths), hasInitial: true
      ) { change, session in
        if case .failed(let error) = change { throw error }
        return translate(change, session)
      }
    }
  }
}

extension Map {
  /// The map now, and what changes of it, for a loop.
  ///
  /// - Parameter keyPaths: What counts of objects that are values; nil for everything.
  public func changes(keyPaths: [String]? = nil) -> ChangeSequence<RealmMapChange<Map>> {
    ChangeSequence {
      guard let observed = self._observed() else {
        throw RealmError(.fail, ErrorText.unmanagedCollectionNotifications)
      }
      return SequenceStart(
        session: observed.session, source: try observed.source(keyPaths), hasInitial: true
      ) { change, session in
        if case .failed(let error) = change { throw error }
        return observed.mapChange(change, session)
      }
    }
  }
}

extension _ObservableObject {
  /// What changes of the object, for a loop, which ends after `deleted`.
  ///
  /// - Parameter keyPaths: What counts, as for `observe`; nil for all own properties.
  public func changes(keyPaths: [String]? = nil) -> ChangeSequence<ObjectChange<Self>> {
    ChangeSequence {
      guard let observed = self.observed() else {
        throw RealmError(.fail, ErrorText.unmanagedObjectNotifications)
      }
      return SequenceStart(
        session: observed.session, source: try observed.source(keyPaths), hasInitial: false
      ) { change, session in
        if case .failed(let error) = change { throw error }
        return observed.translate(change, session)
      }
    }
  }
}

extension Realm {
  /// One element for each snapshot that others or this realm commit, for a loop; several snapshots
  /// while its body runs are one.
  public var changes: ChangeSequence<Notification> {
    ChangeSequence {
      SequenceStart(
        session: self.session, source: nil, hasInitial: false, translate: { _, _ in nil },
        versionElement: .didChange)
    }
  }
}

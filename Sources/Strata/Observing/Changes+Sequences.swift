import StrataStorage

extension RealmCollection {
  /// Returns a sequence of the collection as it is now, followed by its changes.
  ///
  /// - Parameter keyPaths: The properties to observe, as for `observe`; nil for all.
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
  /// Returns a sequence of the map as it is now, followed by its changes.
  ///
  /// - Parameter keyPaths: The properties to observe where values are objects; nil for all.
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
  /// Returns a sequence of the object's changes, which ends after `deleted`.
  ///
  /// - Parameter keyPaths: The properties to observe, as for `observe`; nil for all of the object's
  ///   own.
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
  /// A sequence with one element for each snapshot that this realm or others commit. Snapshots that
  /// are committed while the body of the loop runs are merged into one element.
  public var changes: ChangeSequence<Notification> {
    ChangeSequence {
      SequenceStart(
        session: self.session, source: nil, hasInitial: false, translate: { _, _ in nil },
        versionElement: .didChange)
    }
  }
}

package import Foundation
import IssueReporting
package import Strata

/// The objects of a query that a view shows, in the realm of a configuration.
///
/// `Arranged` is the type of the result: results, or sections of them.
@MainActor
package final class ShownQuery<Element: RealmCollectionValue, Arranged: RealmSubscribable> {
  /// The query of a view.
  package struct Question {
    /// Returns all objects in a realm.
    package var objects: (Realm) -> Results<Element>
    /// Arranges the results of the conditions, which are not sorted yet, in sections or not.
    package var arranged: (Results<Element>, [Strata.SortDescriptor]) -> Arranged
    /// The observed properties; nil for all.
    package var keyPaths: [String]?
    package var filter: NSPredicate?
    package var condition: ((Query<Element>) -> Query<Bool>)?
    package var sortDescriptors: [Strata.SortDescriptor] = []
    /// The user's search, as a further condition.
    fileprivate var search: ((Query<Element>) -> Query<Bool>)?

    package init(
      objects: @escaping (Realm) -> Results<Element>, keyPaths: [String]? = nil,
      arranged: @escaping (Results<Element>, [Strata.SortDescriptor]) -> Arranged
    ) {
      self.objects = objects
      self.keyPaths = keyPaths
      self.arranged = arranged
    }

    @MainActor
    fileprivate func answer(in results: Results<Element>) -> Arranged {
      var results = results
      if let filter { results = results.filter(filter) }
      if let condition { results = results.where(condition) }
      if let search { results = results.where(search) }
      return arranged(results, sortDescriptors)
    }
  }

  package private(set) var question: Question
  private let trigger = Trigger()
  private var answer: Shown<Arranged>?
  private var location: RealmLocation?
  private var searchText = ""
  private var openingError: (any Error)?

  package init(_ question: Question) { self.question = question }

  /// Returns the value to show now, for the realm of a configuration. The view that reads it is
  /// computed again after each change.
  ///
  /// If the realm can't be opened, the value is empty, and ``error`` returns the reason. The realm
  /// is opened again for another query, or another configuration.
  package func value(in configuration: Realm.Configuration) -> Arranged {
    trigger.record()
    return shown(in: configuration).value
  }

  /// Returns the last shown value in the realm of a configuration.
  package func displayed(in configuration: Realm.Configuration) -> Arranged {
    shown(in: configuration).displayed
  }

  /// Returns the reason why no value, or no newer one, is shown.
  package func error(in configuration: Realm.Configuration) -> (any Error)? {
    trigger.record()
    let answer = shown(in: configuration)
    return openingError ?? answer.error
  }

  /// Changes the query.
  package func ask(_ change: (inout Question) -> Void) {
    change(&question)
    answer = nil
    trigger.fire()
  }

  /// Searches for a text in a property from now on. The empty text removes the condition.
  package func search(_ text: String, in keyPath: KeyPath<Element, String>)
  where Element: ObjectBase {
    guard text != searchText else { return }
    searchText = text
    ask { question in
      question.search =
        text.isEmpty
        ? nil : { $0[dynamicMember: keyPath].contains(text, options: .caseInsensitive) }
    }
  }

  /// Runs a change in a transaction of the realm, and shows the result at once.
  package func change(in configuration: Realm.Configuration, _ change: (Realm) -> Void) {
    guard let realm = realm(of: configuration) else { return }
    if Writing.change(in: realm, { change(realm) }) { trigger.fire() }
  }

  // MARK: Opening

  private func shown(in configuration: Realm.Configuration) -> Shown<Arranged> {
    let location = RealmLocation(configuration)
    if let answer, self.location == location { return answer }
    self.location = location
    let objects = realm(of: configuration).map(question.objects) ?? List<Element>()._results
    let arranged = question.answer(in: objects)
    let shown = Shown(keyPaths: question.keyPaths, trigger: trigger) { arranged }
    answer = shown
    return shown
  }

  private func realm(of configuration: Realm.Configuration) -> Realm? {
    do {
      let realm = try Realm(configuration: configuration)
      openingError = nil
      return realm
    } catch {
      openingError = error
      reportIssue(
        "A view shows nothing, because its realm can't be opened: \(error) Open it with '@AsyncOpen' "
          + "before, which shows that to the user, or show the 'error' of the property.")
      return nil
    }
  }
}

package import Foundation
import IssueReporting
package import Strata

/// The objects of a query as a view shows them, in the realm of a configuration.
///
/// `Arranged` is what is made of the results: themselves, or sections of them.
@MainActor
package final class ShownQuery<Element: RealmCollectionValue, Arranged: RealmSubscribable> {
  /// The question of a view.
  package struct Question {
    /// All objects, in a realm.
    package var objects: (Realm) -> Results<Element>
    /// Sections or not, of the results of the conditions, which are not sorted yet.
    package var arranged: (Results<Element>, [Strata.SortDescriptor]) -> Arranged
    /// What counts as news; nil for everything.
    package var keyPaths: [String]?
    package var filter: NSPredicate?
    package var condition: ((Query<Element>) -> Query<Bool>)?
    package var sortDescriptors: [Strata.SortDescriptor] = []
    /// What the user searches for, as one more condition.
    package var search: ((Results<Element>) -> Results<Element>)?

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
      if let search { results = search(results) }
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

  /// What to show now of the realm of a configuration. The view that reads it is computed again
  /// when there is news.
  ///
  /// A realm that can't be opened shows nothing; ``error`` says why. It is opened again when
  /// another question is asked, or with another configuration.
  package func value(in configuration: Realm.Configuration) -> Arranged {
    trigger.note()
    return shown(in: configuration).value
  }

  /// What was shown last in the realm of a configuration.
  package func displayed(in configuration: Realm.Configuration) -> Arranged {
    shown(in: configuration).displayed
  }

  /// Why nothing is shown, or nothing new.
  package func error(in configuration: Realm.Configuration) -> (any Error)? {
    trigger.note()
    let answer = shown(in: configuration)
    return openingError ?? answer.error
  }

  /// Asks something else from now on.
  package func ask(_ change: (inout Question) -> Void) {
    change(&question)
    answer = nil
    trigger.fire()
  }

  /// Searches for a text from now on; for the empty one there is no condition.
  package func search(
    _ text: String, _ condition: @escaping (Results<Element>) -> Results<Element>
  ) {
    guard text != searchText else { return }
    searchText = text
    ask { $0.search = text.isEmpty ? nil : condition }
  }

  /// Changes something in a transaction of the realm, and shows that at once.
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

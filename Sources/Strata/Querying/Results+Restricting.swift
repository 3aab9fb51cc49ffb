import StrataQuery
import StrataStorage

extension RealmCollection {
  /// The first of those objects that have the same values of some properties.
  ///
  /// Which is first is a matter of the order so far: `sorted` before `distinct` decides which
  /// object stays, `sorted` after it puts those that stay in order. Objects with a nil link on the
  /// way to a value are left out.
  ///
  /// ```swift
  /// let newest = realm.objects(Reading.self).sorted(byKeyPath: "date", ascending: false)
  ///   .distinct(by: ["sensor.name"])
  /// ```
  ///
  /// An unknown name, and a property without a single value, is a mistake, which gives no objects:
  /// `write` throws it, anywhere else it is reported through `IssueReporting`.
  public func distinct<Names: Sequence>(by keyPaths: Names) -> Results<Element>
  where Names.Element == String {
    _results.distinctResults(by: Array(keyPaths))
  }

  /// At most so many elements, after so many that are left out.
  ///
  /// What is called on the result sees only those: a condition after a limit leaves out some of
  /// them. The result is live: which elements they are is found out each time.
  ///
  /// ```swift
  /// let page = people.sorted(byKeyPath: "name").limit(20, offset: 40)
  /// ```
  ///
  /// A negative number counts as zero.
  public func limit(_ count: Int, offset: Int = 0) -> Results<Element> {
    let results = _results
    switch results.source {
    case .values(let values): return Results(values.limited(to: count, offset: offset))
    case .objects(let objects):
      do throws(RealmError) {
        return Results(try objects.limited(to: count, offset: offset))
      } catch {
        return results.none(error)
      }
    }
  }

  /// The elements, among which a condition finds only such as are there: one after `distinct`
  /// comes before it, and others would stay.
  var _choices: Results<Element> {
    let results = _results
    guard case .objects(let objects) = results.source, objects.query.request.isDistinct else {
      return results
    }
    do throws(RealmError) {
      let closed = try objects.limited(to: .max, offset: 0)
      // The condition needs a level, too.
      _ = try closed.limited(to: .max, offset: 0)
      return Results(closed)
    } catch {
      // SQLite has no room for more levels: the condition comes before, as Realm asks it.
      return results
    }
  }

  /// The elements for which a condition is true too.
  ///
  /// A condition that can't be asked finds nothing, and says so: `write` throws it, anywhere else
  /// it is reported.
  func _filter(_ predicate: QueryPredicate) -> Results<Element> {
    let results = _results
    do throws(RealmError) {
      return try results.filtered(by: predicate)
    } catch {
      return results.none(error)
    }
  }
}

extension RealmCollection {
  /// Each value once, where it is first.
  public func distinct() -> Results<Element> {
    guard case .values(let values) = _results.source else { return _results }
    return Results(values.distinct())
  }
}

extension Results {
  init(_ objects: ObjectResults) { source = .objects(objects) }

  /// - Throws: ``RealmError`` with code `fail` for a condition that can't be asked.
  func filtered(by predicate: QueryPredicate) throws(RealmError) -> Results {
    switch source {
    case .objects(let objects): Results(try objects.filtered(by: predicate))
    case .values(let values): Results(try values.filtered(by: predicate))
    }
  }

  fileprivate func distinctResults(by keyPaths: [String]) -> Results {
    do throws(RealmError) {
      switch source {
      case .objects(let objects): return Results(try objects.distinct(by: keyPaths))
      case .values(let values): return Results(try values.distinct(by: keyPaths))
      }
    } catch {
      return none(error)
    }
  }
}

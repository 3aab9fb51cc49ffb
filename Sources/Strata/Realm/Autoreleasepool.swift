#if !canImport(ObjectiveC)
  /// Calls a closure, as the function of this name does on Apple platforms.
  ///
  /// There it also releases what Objective-C has kept for later, which other platforms don't have.
  /// For the source of programs that were written for RealmSwift.
  @inlinable
  public func autoreleasepool<Result, Failure: Error>(
    invoking body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body()
  }
#endif

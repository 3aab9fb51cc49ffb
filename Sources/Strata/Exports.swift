// Exports the modules with types that users name, so that one import is enough.
@_exported public import StrataQuery
@_exported public import StrataRealmImport
@_exported public import StrataSchema
@_exported public import StrataStorage

#if !canImport(ObjectiveC)
  /// Calls a closure, for source compatibility with Apple platforms.
  ///
  /// On Apple platforms, the function of this name also releases autoreleased Objective-C objects,
  /// which other platforms don't have. This function is for programs that were written for
  /// RealmSwift.
  @inlinable
  public func autoreleasepool<Result, Failure: Error>(
    invoking body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body()
  }
#endif

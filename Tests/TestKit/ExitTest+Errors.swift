package import Testing

/// The standard error output of a process that has ended.
package func errors(_ result: ExitTest.Result?) -> String {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}

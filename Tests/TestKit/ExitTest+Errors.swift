package import Testing

/// What a process wrote to the standard error before it ended.
package func errors(_ result: ExitTest.Result?) -> String {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}

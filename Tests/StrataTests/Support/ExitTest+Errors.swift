import Testing

/// What a process wrote to the standard error before it ended.
func errors(_ result: ExitTest.Result?) -> String {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}

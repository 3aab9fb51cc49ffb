/// The headers of every response, with which the browser keeps others out of the page.
enum SecurityHeaders {
  static let all = [
    // Nothing of the page comes from elsewhere, and nothing goes there; no script is in its text.
    ResponseHeader(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    ResponseHeader("X-Content-Type-Options", "nosniff"),
    ResponseHeader("Cache-Control", "no-store"),
    // The address has the token, once.
    ResponseHeader("Referrer-Policy", "no-referrer"),
    ResponseHeader("Cross-Origin-Opener-Policy", "same-origin"),
    ResponseHeader("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}

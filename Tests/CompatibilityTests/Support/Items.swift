import Strata

/// Two versions of small classes, for tests that are about something else than their properties.
enum Items {
  enum V0 {
    class Item: Object {
      @Persisted var number = 0
    }
    class Other: Object {
      @Persisted var number = 0
    }
  }

  enum V1 {
    class Item: Object {
      @Persisted var number = 0
      @Persisted var text = ""
    }
    class Gone: Object {
      @Persisted var text = ""
    }
    class Fresh: Object {
      @Persisted var text = ""
    }
  }
}

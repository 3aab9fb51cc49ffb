package import Strata

/// Two versions of small classes, for tests that are about something else than their properties.
package enum Items {
  package enum V0 {
    package class Item: Object {
      @Persisted package var number = 0
    }
    package class Other: Object {
      @Persisted package var number = 0
    }
  }

  package enum V1 {
    package class Item: Object {
      @Persisted package var number = 0
      @Persisted package var text = ""
    }
    package class Gone: Object {
      @Persisted package var text = ""
    }
    package class Fresh: Object {
      @Persisted package var text = ""
    }
  }
}

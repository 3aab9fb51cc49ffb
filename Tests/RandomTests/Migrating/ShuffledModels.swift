import Foundation
import Strata

// The same two classes ten times, their properties of other types each time: each pair is a
// migration.

enum Shuffled {
  static let versions: [[ObjectBase.Type]] = [
    [V0.A.self, V0.B.self],
    [V1.A.self, V1.B.self],
    [V2.A.self, V2.B.self],
    [V3.A.self, V3.B.self],
    [V4.A.self, V4.B.self],
    [V5.A.self, V5.B.self],
    [V6.A.self, V6.B.self],
    [V7.A.self, V7.B.self],
    [V8.A.self, V8.B.self],
    [V9.A.self, V9.B.self],
  ]
}

extension Shuffled {
  enum V0 {
    class A: Object {
      @Persisted var id = 0
      @Persisted var p0: Bool = false
      @Persisted var p1: String?
      @Persisted var p2: Double = 0
      @Persisted var p3: Decimal128
      @Persisted var p4: A?
      @Persisted var p5: List<Int>
      @Persisted var p7: MutableSet<A>
      @Persisted var p8: Map<String, Int?>
      @Persisted var p9: Map<String, AnyRealmValue>
    }

    class B: Object {
      @Persisted var id = 0
      @Persisted var p0: Int = 0
      @Persisted var p1: MutableSet<String?>
      @Persisted var p2: Double?
      @Persisted var p3: UUID
      @Persisted var p4: A?
      @Persisted var p5: List<String>
      @Persisted var p6: MutableSet<A>
      @Persisted var p7: MutableSet<String>
      @Persisted var p8: Map<String, String>
      @Persisted var p9: List<AnyRealmValue>
    }
  }
}

extension Shuffled {
  enum V1 {
    class A: Object {
      @Persisted var id = 0
      @Persisted var p0: Int = 0
      @Persisted var p2: Float = 0
      @Persisted var p3: Decimal128?
      @Persisted var p4: List<A>
      @Persisted var p5: List<String>
      @Persisted var p6: Map<String, A?>
      @Persisted var p7: MutableSet<A>
      @Persisted var p8: Map<String, Int>
      @Persisted var p9: MutableSet<AnyRealmValue>
    }

    class B: Object {
      @Persisted var id = 0
      @Persisted var p0: Int = 0
      @Persisted var p1: String = ""
      @Persisted var p2: Date?
      @Persisted var p3: UUID?
      @Persisted var p4: A?
      @Persisted var p5: List<String>
      @Persisted var p7: List<String>
      @Persisted var p8: Map<String, B?>
      @Persisted var p9: AnyRealmValue
    }
  }
}

extension Shuffled {
  enum V2 {
    class A: Object {
      @Persisted var id = 0
      @Persisted var p0: Int?
      @Persisted var p2: Float = 0
      @Persisted var p4: A?
      @Persisted var p6: List<A>
      @Persisted var p7: List<String>
      @Persisted var p8: Map<String, Int>
      @Persisted var p9: AnyRealmValue
    }

    class B: Object {
      @Persisted var id = 0
      @Persisted var p0: Bool = false
      @Persisted var p1: String?
      @Persisted var p2: Double?
      @Persisted var p3: UUID
      @Persisted var p4: B?
      @Persisted var p5: List<Int?>
      @Persisted var p8: Map<String, Int?>
      @Persisted var p9: MutableSet<AnyRealmValue>
    }
  }
}

extension Shuffled {
  enum V3 {
    class A: Object {
      @Persisted var id = 0
      @Persisted var p0: Int?
      @Persisted var p1: Int = 0
      @Persisted var p2: Double = 0
      @Persisted var p3: ObjectId
      @Persisted var p4: AnyRealmValue
      @Persisted var p6: List<A>
      @Persisted var p7: MutableSet<A>
      @Persisted var p8: Map<String, String>
      @Persisted var p9: MutableSet<AnyRealmValue>
    }

    class B: Object {
      @Persisted var id = 0
      @Persisted var p0: Int = 0
      @Persisted var p1: String?
      @Persisted var p2: Double = 0
      @Persisted var p3: Decimal128
      @Persisted var p5: MutableSet<Int>
      @Persisted var p6: List<A>
      @Persisted var p7: List<String>
      @Persisted var p8: Map<String, Int>
    }
  }
}

extension Shuffled {
  enum V4 {
    class A: Object {
      @Persisted var id = 0
      @Persisted var p0: Int?
      @Persisted var p1: Data = Data()
      @Persisted var p2: Map<String, Double>
      @Persisted var p4: AnyRealmValue
      @Persisted var p5: List<Int?>
      @Persisted var p6: Map<String, A?>
      @Persisted var p7: MutableSet<A>
      @Persisted var p8: Map<String, Int>
      @Persisted var p9: MutableSet<AnyRealmValue>
    }

    class B: Object {
      @Persisted var id = 0
      @Persisted var p1: Int = 0
      @Persisted var p2: Double?
      @Persisted var p3: ObjectId
      @Persisted var p4: A?
      @Persisted var p5: List<Int>
      @Persisted var p6: MutableSet<A>
      @Persisted var p9: List<AnyRealmValue>
    }
  }
}

extension Shuffled {
  enum V5 {
    class A: Object {
      @Persisted var id = 0
      @Persisted var p0: Bool = false
      @Persisted var p2: Float = 0
      @Persisted var p3: UUID
      @Persisted var p4: List<A>
      @Persisted var p5: List<Int>
      @Persisted var p6: B?
      @Persisted var p7: List<String>
      @Persisted var p8: Map<String, String>
      @Persisted var p9: AnyRealmValue
    }

    class B: Object {
      @Persisted var id = 0
      @Persisted var p0: String = ""
      @Persisted var p1: String?
      @Persisted var p2: Double?
      @Persisted var p3: ObjectId
      @Persisted var p4: AnyRealmValue
      @Persisted var p5: MutableSet<Int>
      @Persisted var p7: MutableSet<String>
      @Persisted var p8: Map<String, Int>
      @Persisted var p9: Map<String, AnyRealmValue>
    }
  }
}

extension Shuffled {
  enum V6 {
    class A: Object {
      @Persisted var id = 0
      @Persisted var p0: MutableSet<Int>
      @Persisted var p1: Int = 0
      @Persisted var p2: Double?
      @Persisted var p3: UUID?
      @Persisted var p5: MutableSet<Int>
      @Persisted var p6: List<A>
      @Persisted var p7: MutableSet<String?>
      @Persisted var p8: Map<String, Int?>
      @Persisted var p9: Map<String, AnyRealmValue>
    }

    class B: Object {
      @Persisted var id = 0
      @Persisted var p1: String = ""
      @Persisted var p3: ObjectId?
      @Persisted var p6: B?
      @Persisted var p7: MutableSet<String>
      @Persisted var p8: Map<String, Int?>
      @Persisted var p9: Map<String, AnyRealmValue>
    }
  }
}

extension Shuffled {
  enum V7 {
    class A: Object {
      @Persisted var id = 0
      @Persisted var p0: List<Int>
      @Persisted var p1: String?
      @Persisted var p2: Map<String, Double>
      @Persisted var p3: UUID?
      @Persisted var p4: B?
      @Persisted var p5: List<Int?>
      @Persisted var p6: Map<String, A?>
      @Persisted var p8: Map<String, String>
      @Persisted var p9: AnyRealmValue
    }

    class B: Object {
      @Persisted var id = 0
      @Persisted var p0: Bool = false
      @Persisted var p1: String?
      @Persisted var p2: Double?
      @Persisted var p3: ObjectId?
      @Persisted var p4: A?
      @Persisted var p5: List<Int?>
      @Persisted var p6: List<B>
      @Persisted var p7: List<String>
      @Persisted var p8: Map<String, Int?>
    }
  }
}

extension Shuffled {
  enum V8 {
    class A: Object {
      @Persisted var id = 0
      @Persisted var p0: Int?
      @Persisted var p1: String?
      @Persisted var p2: Double?
      @Persisted var p3: Decimal128
      @Persisted var p4: A?
      @Persisted var p5: List<Int>
      @Persisted var p6: List<A>
      @Persisted var p7: MutableSet<A>
      @Persisted var p8: Map<String, Int>
      @Persisted var p9: List<AnyRealmValue>
    }

    class B: Object {
      @Persisted var id = 0
      @Persisted var p0: Int = 0
      @Persisted var p1: Data = Data()
      @Persisted var p2: Float = 0
      @Persisted var p3: ObjectId
      @Persisted var p4: A?
      @Persisted var p6: B?
      @Persisted var p7: List<String>
      @Persisted var p8: Map<String, Int?>
      @Persisted var p9: MutableSet<AnyRealmValue>
    }
  }
}

extension Shuffled {
  enum V9 {
    class A: Object {
      @Persisted var id = 0
      @Persisted var p3: ObjectId
      @Persisted var p4: AnyRealmValue
      @Persisted var p5: List<Int>
      @Persisted var p6: List<A>
      @Persisted var p7: List<String>
      @Persisted var p9: List<AnyRealmValue>
    }

    class B: Object {
      @Persisted var id = 0
      @Persisted var p0: Bool = false
      @Persisted var p2: Double = 0
      @Persisted var p4: List<A>
      @Persisted var p5: MutableSet<Int>
      @Persisted var p6: List<A>
      @Persisted var p7: MutableSet<A>
      @Persisted var p8: Map<String, String>
      @Persisted var p9: MutableSet<AnyRealmValue>
    }
  }
}

import Foundation
import Strata

extension APIUses {
  func anyRealmValue() {
    use("AnyRealmValue", "none") { things in
      _ = AnyRealmValue.none
    }
    use("AnyRealmValue", "int(_:)") { things in
      _ = AnyRealmValue.int(1)
    }
    use("AnyRealmValue", "bool(_:)") { things in
      _ = AnyRealmValue.bool(true)
    }
    use("AnyRealmValue", "float(_:)") { things in
      _ = AnyRealmValue.float(1)
    }
    use("AnyRealmValue", "double(_:)") { things in
      _ = AnyRealmValue.double(1)
    }
    use("AnyRealmValue", "string(_:)") { things in
      _ = AnyRealmValue.string("")
    }
    use("AnyRealmValue", "data(_:)") { things in
      _ = AnyRealmValue.data(Data())
    }
    use("AnyRealmValue", "date(_:)") { things in
      _ = AnyRealmValue.date(Date())
    }
    use("AnyRealmValue", "object(_:)") { things in
      _ = AnyRealmValue.object(things.person)
    }
    use("AnyRealmValue", "objectId(_:)") { things in
      _ = AnyRealmValue.objectId(ObjectId())
    }
    use("AnyRealmValue", "decimal128(_:)") { things in
      _ = AnyRealmValue.decimal128(1)
    }
    use("AnyRealmValue", "uuid(_:)") { things in
      _ = AnyRealmValue.uuid(UUID())
    }
    use("AnyRealmValue", "init()") { things in
      _ = AnyRealmValue()
    }
    use("AnyRealmValue", "intValue") { things in
      _ = things.person.value.intValue as Int?
    }
    use("AnyRealmValue", "boolValue") { things in
      _ = things.person.value.boolValue as Bool?
    }
    use("AnyRealmValue", "floatValue") { things in
      _ = things.person.value.floatValue as Float?
    }
    use("AnyRealmValue", "doubleValue") { things in
      _ = things.person.value.doubleValue as Double?
    }
    use("AnyRealmValue", "stringValue") { things in
      _ = things.person.value.stringValue as String?
    }
    use("AnyRealmValue", "dataValue") { things in
      _ = things.person.value.dataValue as Data?
    }
    use("AnyRealmValue", "dateValue") { things in
      _ = things.person.value.dateValue as Date?
    }
    use("AnyRealmValue", "objectIdValue") { things in
      _ = things.person.value.objectIdValue as ObjectId?
    }
    use("AnyRealmValue", "decimal128Value") { things in
      _ = things.person.value.decimal128Value as Decimal128?
    }
    use("AnyRealmValue", "uuidValue") { things in
      _ = things.person.value.uuidValue as UUID?
    }
    use("AnyRealmValue", "object(_:) of a class") { things in
      _ = things.person.value.object(Person.self) as Person?
    }
    use("AnyRealmValue", "dynamicObject") { things in
      _ = things.person.value.dynamicObject as DynamicObject?
    }
    use("AnyRealmValue", "list(_:)") { things in
      _ = AnyRealmValue.list(List<AnyRealmValue>())
    }
    use("AnyRealmValue", "dictionary(_:)") { things in
      _ = AnyRealmValue.dictionary(Map<String, AnyRealmValue>())
    }
    use("AnyRealmValue", "listValue") { things in
      _ = things.person.value.listValue as List<AnyRealmValue>?
    }
    use("AnyRealmValue", "dictionaryValue") { things in
      _ = things.person.value.dictionaryValue as Map<String, AnyRealmValue>?
    }
    use("AnyRealmValue", "fromArray(_:)") { things in
      _ = AnyRealmValue.fromArray([1, "a"])
    }
    use("AnyRealmValue", "fromDictionary(_:)") { things in
      _ = AnyRealmValue.fromDictionary(["a": 1])
    }
    use("AnyRealmValue", "subscript(_:) of a position") { things in
      _ = AnyRealmValue.fromArray([1])[0] as AnyRealmValue?
    }
    use("AnyRealmValue", "subscript(_:) of a key") { things in
      _ = things.person.value["a"] as AnyRealmValue?
    }
  }

  func objectId() {
    use("ObjectId", "init()") { things in
      _ = ObjectId()
    }
    use("ObjectId", "init(_:)") { things in
      _ = ObjectId("507f1f77bcf86cd799439011")
    }
    use("ObjectId", "init(string:)") { things in
      _ = try ObjectId(string: "507f1f77bcf86cd799439011")
    }
    use("ObjectId", "init(timestamp:machineId:processId:)") { things in
      _ = ObjectId(timestamp: Date(), machineId: 1, processId: 1)
    }
    use("ObjectId", "generate()") { things in
      _ = ObjectId.generate()
    }
    use("ObjectId", "timestamp") { things in
      _ = ObjectId().timestamp as Date
    }
    use("ObjectId", "stringValue") { things in
      _ = ObjectId().stringValue as String
    }
    use("ObjectId", "description") { things in
      _ = ObjectId().description
    }
    use("ObjectId", "<") { things in
      _ = ObjectId() < ObjectId()
    }
    use("ObjectId", "init(from:)") { things in
      _ = try JSONDecoder().decode(ObjectId.self, from: Data())
    }
    use("ObjectId", "encode(to:)") { things in
      _ = try JSONEncoder().encode(ObjectId())
    }
  }

  func decimal128() {
    use("Decimal128", "init()") { things in
      _ = Decimal128()
    }
    use("Decimal128", "init(value:)") { things in
      _ = Decimal128(value: 1)
    }
    use("Decimal128", "init(number:)") { things in
      _ = Decimal128(number: NSNumber(value: 1))
    }
    use("Decimal128", "init(string:)") { things in
      _ = try Decimal128(string: "1.5")
    }
    use("Decimal128", "init(integerLiteral:)") { things in
      _ = 1 as Decimal128
    }
    use("Decimal128", "init(floatLiteral:)") { things in
      _ = 1.5 as Decimal128
    }
    use("Decimal128", "init(stringLiteral:)") { things in
      _ = "1.5" as Decimal128
    }
    use("Decimal128", "init(exactly:)") { things in
      _ = Decimal128(exactly: 1) as Decimal128?
    }
    use("Decimal128", "min") { things in
      _ = Decimal128.min
    }
    use("Decimal128", "max") { things in
      _ = Decimal128.max
    }
    use("Decimal128", "isNaN") { things in
      _ = things.values.decimal.isNaN
    }
    use("Decimal128", "magnitude") { things in
      _ = things.values.decimal.magnitude
    }
    use("Decimal128", "doubleValue") { things in
      _ = things.values.decimal.doubleValue as Double
    }
    use("Decimal128", "decimalValue") { things in
      _ = things.values.decimal.decimalValue as Decimal
    }
    use("Decimal128", "stringValue") { things in
      _ = things.values.decimal.stringValue as String
    }
    use("Decimal128", "+") { things in
      _ = things.values.decimal + things.values.decimal
    }
    use("Decimal128", "-") { things in
      _ = things.values.decimal - things.values.decimal
    }
    use("Decimal128", "*") { things in
      _ = things.values.decimal * things.values.decimal
    }
    use("Decimal128", "/") { things in
      _ = things.values.decimal / things.values.decimal
    }
    use("Decimal128", "+=") { things in
      var sum = things.values.decimal
      sum += things.values.decimal
    }
    use("Decimal128", "-=") { things in
      var sum = things.values.decimal
      sum -= things.values.decimal
    }
    use("Decimal128", "*=") { things in
      var sum = things.values.decimal
      sum *= things.values.decimal
    }
    use("Decimal128", "/=") { things in
      var sum = things.values.decimal
      sum /= things.values.decimal
    }
    use("Decimal128", "- of one") { things in
      _ = -things.values.decimal
    }
    use("Decimal128", "negate()") { things in
      var sum = things.values.decimal
      sum.negate()
    }
    use("Decimal128", "==") { things in
      _ = things.values.decimal == things.values.decimal
    }
    use("Decimal128", "<") { things in
      _ = things.values.decimal < things.values.decimal
    }
    use("Decimal128", "<=") { things in
      _ = things.values.decimal <= things.values.decimal
    }
    use("Decimal128", ">") { things in
      _ = things.values.decimal > things.values.decimal
    }
    use("Decimal128", ">=") { things in
      _ = things.values.decimal >= things.values.decimal
    }
    use("Decimal128", "distance(to:)") { things in
      _ = things.values.decimal.distance(to: things.values.decimal)
    }
    use("Decimal128", "advanced(by:)") { things in
      _ = things.values.decimal.advanced(by: things.values.decimal)
    }
    use("Decimal128", "description") { things in
      _ = things.values.decimal.description
    }
    use("Decimal128", "init(from:)") { things in
      _ = try JSONDecoder().decode(Decimal128.self, from: Data())
    }
    use("Decimal128", "encode(to:)") { things in
      _ = try JSONEncoder().encode(things.values.decimal)
    }
  }
}

import Foundation
import Strata

extension APIUses {
  func useAnyRealmValue() {
    heading = "AnyRealmValue"
    use("none", AnyRealmValue.none)
    use("int(_:)", AnyRealmValue.int(1))
    use("bool(_:)", AnyRealmValue.bool(true))
    use("float(_:)", AnyRealmValue.float(1))
    use("double(_:)", AnyRealmValue.double(1))
    use("string(_:)", AnyRealmValue.string(""))
    use("data(_:)", AnyRealmValue.data(Data()))
    use("date(_:)", AnyRealmValue.date(Date()))
    use("object(_:)", AnyRealmValue.object(person))
    use("objectId(_:)", AnyRealmValue.objectId(ObjectId()))
    use("decimal128(_:)", AnyRealmValue.decimal128(1))
    use("uuid(_:)", AnyRealmValue.uuid(UUID()))
    use("init()", AnyRealmValue())
    use("intValue", person.value.intValue as Int?)
    use("boolValue", person.value.boolValue as Bool?)
    use("floatValue", person.value.floatValue as Float?)
    use("doubleValue", person.value.doubleValue as Double?)
    use("stringValue", person.value.stringValue as String?)
    use("dataValue", person.value.dataValue as Data?)
    use("dateValue", person.value.dateValue as Date?)
    use("objectIdValue", person.value.objectIdValue as ObjectId?)
    use("decimal128Value", person.value.decimal128Value as Decimal128?)
    use("uuidValue", person.value.uuidValue as UUID?)
    use("object(_:) of a class", person.value.object(Person.self) as Person?)
    use("dynamicObject", person.value.dynamicObject as DynamicObject?)
    use("list(_:)", AnyRealmValue.list(List<AnyRealmValue>()))
    use("dictionary(_:)", AnyRealmValue.dictionary(Map<String, AnyRealmValue>()))
    use("listValue", person.value.listValue as List<AnyRealmValue>?)
    use("dictionaryValue", person.value.dictionaryValue as Map<String, AnyRealmValue>?)
    use("fromArray(_:)", AnyRealmValue.fromArray([1, "a"]))
    use("fromDictionary(_:)", AnyRealmValue.fromDictionary(["a": 1]))
    use("subscript(_:) of a position", AnyRealmValue.fromArray([1])[0] as AnyRealmValue?)
    use("subscript(_:) of a key", person.value["a"] as AnyRealmValue?)
  }

  func useObjectId() {
    heading = "ObjectId"
    use("init()", ObjectId())
    use("init(_:)", ObjectId("507f1f77bcf86cd799439011"))
    use("init(string:)", try ObjectId(string: "507f1f77bcf86cd799439011"))
    use(
      "init(timestamp:machineId:processId:)",
      ObjectId(timestamp: Date(), machineId: 1, processId: 1))
    use("generate()", ObjectId.generate())
    use("timestamp", ObjectId().timestamp as Date)
    use("stringValue", ObjectId().stringValue as String)
    use("description", ObjectId().description)
    use("<", ObjectId() < ObjectId())
    use("init(from:)", try JSONDecoder().decode(ObjectId.self, from: Data()))
    use("encode(to:)", try JSONEncoder().encode(ObjectId()))
  }

  func useDecimal128() {
    heading = "Decimal128"
    use("init()", Decimal128())
    use("init(value:)", Decimal128(value: 1))
    use("init(number:)", Decimal128(number: NSNumber(value: 1)))
    use("init(string:)", try Decimal128(string: "1.5"))
    use("init(integerLiteral:)", 1 as Decimal128)
    use("init(floatLiteral:)", 1.5 as Decimal128)
    use("init(stringLiteral:)", "1.5" as Decimal128)
    use("init(exactly:)", Decimal128(exactly: 1) as Decimal128?)
    use("min", Decimal128.min)
    use("max", Decimal128.max)
    use("isNaN", decimal.isNaN)
    use("magnitude", decimal.magnitude)
    use("doubleValue", decimal.doubleValue as Double)
    use("decimalValue", decimal.decimalValue as Decimal)
    use("stringValue", decimal.stringValue as String)
    use("+", decimal + decimal)
    use("-", decimal - decimal)
    use("*", decimal * decimal)
    use("/", decimal / decimal)
    uses("+=") {
      var sum = decimal
      sum += decimal
    }
    uses("-=") {
      var sum = decimal
      sum -= decimal
    }
    uses("*=") {
      var sum = decimal
      sum *= decimal
    }
    uses("/=") {
      var sum = decimal
      sum /= decimal
    }
    use("- of one", -decimal)
    uses("negate()") {
      var sum = decimal
      sum.negate()
    }
    use("==", decimal == decimal)
    use("<", decimal < decimal)
    use("<=", decimal <= decimal)
    use(">", decimal > decimal)
    use(">=", decimal >= decimal)
    use("distance(to:)", decimal.distance(to: decimal))
    use("advanced(by:)", decimal.advanced(by: decimal))
    use("description", decimal.description)
    use("init(from:)", try JSONDecoder().decode(Decimal128.self, from: Data()))
    use("encode(to:)", try JSONEncoder().encode(decimal))
  }
}

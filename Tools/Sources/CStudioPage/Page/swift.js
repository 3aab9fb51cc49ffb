// An object as the source of Swift that makes it.

import { model } from './model.js';
import { present } from './values.js';

const swiftString = (text) => JSON.stringify(text)
  .replace(/\\u([0-9a-f]{4})/g, '\\u{$1}').replaceAll('\\b', '\\u{8}').replaceAll('\\f', '\\u{C}');

const swiftDate = (text) => `try! Date("${text.slice(0, 10)}T${text.slice(11, 19)}Z", strategy: .iso8601)`;

function swiftScalar(type, value) {
  switch (type) {
    case 'uuid': return `UUID(uuidString: "${value}")!`;
    case 'object id': return `try! ObjectId(string: "${value}")`;
    case 'decimal': return `try! Decimal128(string: "${value}")`;
    case 'date': return swiftDate(value);
    case 'data': return `Data(/* ${value.bytes} bytes */)`;
    default: return typeof value === 'string' ? swiftString(value) : String(value);
  }
}

function swiftValue(property, found) {
  const value = present(found);
  if (value === null || value === undefined || 'invalid' in Object(value)) return 'nil';
  if (value.first) {
    const elements = value.first.map((element) =>
      ('key' in element ? `${swiftString(element.key)}: ` : '') + swiftValue({ ...property, collection: null }, element.value));
    return `[${elements.join(', ') || (property.collection === 'map' ? ':' : '')}]`;
  }
  if (value.object) return swiftFields(property.target, value.object.columns, value.object.values);
  if (property.type === 'object') return `nil /* ${property.target} ${value.id} */`;
  if (property.type === 'mixed') return value.type === 'object' ? 'nil' : swiftScalar(value.type, value.value);
  return swiftScalar(property.type, value);
}

function swiftFields(className, columns, values) {
  const { byName } = model.classes.get(className);
  return `[${columns.map((name, index) => `${swiftString(name)}: ${swiftValue(byName.get(name), values[index])}`).join(', ')}]`;
}

/** `object` has all of its values. */
export const swiftText = (object) => `${object.class}(value: ${swiftFields(object.class, object.columns, object.values)})`;

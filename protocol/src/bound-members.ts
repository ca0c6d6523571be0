/**
 * Binds the methods and accessors of an object to the object itself. A public class calls this in its
 * constructor, so that an instance also works behind a Proxy, such as Vue's `ref`, which has none of its
 * private members.
 */
export function bindMembers(instance: object): void {
  for (const prototype of prototypesOf(instance)) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(prototype));
    for (const [name, { value, get, set }] of members) {
      if (name === 'constructor' || Object.hasOwn(instance, name)) continue;
      const accessors = { get: get?.bind(instance), set: set?.bind(instance) } as PropertyDescriptor;
      if (get !== undefined) Object.defineProperty(instance, name, { ...accessors, configurable: true });
      if (typeof value !== 'function') continue;
      const method = value.bind(instance);
      Object.defineProperty(instance, name, { value: method, writable: true, configurable: true });
    }
  }
}

/** The prototypes of a value except the last one, which has no prototype: `Object.prototype` of any realm. */
function prototypesOf(value: object): object[] {
  const prototype: object = Object.getPrototypeOf(value);
  return Object.getPrototypeOf(prototype) === null ? [] : [prototype, ...prototypesOf(prototype)];
}

internal import Events
internal import JSON

/// Reads the members of an object by name. A null counts as absent, and faults name the field.
struct FieldReader {
    let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    init(_ value: WireValue) throws(WireFault) {
        guard let object = value.json.object else {
            throw value.fault(.fieldWrongType, "an object is expected")
        }
        self.object = object
    }

    func optional(_ name: StaticString) -> WireValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return WireValue(value, name: name)
    }

    func required(_ name: StaticString) throws(WireFault) -> WireValue {
        guard let value = optional(name) else {
            throw WireFault(.fieldMissing, path: "\(name)", "this field is needed")
        }
        return value
    }

    /// Reads a member with `read`. The path of a fault begins with the member's name.
    func required<Value>(
        _ name: StaticString, _ read: (WireValue) throws(WireFault) -> Value
    ) throws(WireFault) -> Value {
        let value = try required(name).json
        do throws(WireFault) {
            return try read(WireValue(value))
        } catch {
            throw error.inside("\(name)")
        }
    }

    /// The elements of an array; empty where the array is absent.
    func elements<Element>(
        _ name: StaticString, _ read: (WireValue) throws(WireFault) -> Element
    ) throws(WireFault) -> [Element] {
        guard let value = optional(name) else { return [] }
        return try value.elements(read)
    }
}

extension WireValue {
    /// The elements of an array; faults name the index.
    func elements<Element>(
        _ read: (WireValue) throws(WireFault) -> Element
    ) throws(WireFault) -> [Element] {
        guard let array = json.array else { throw fault(.fieldWrongType, "an array is expected") }
        var elements: [Element] = []
        elements.reserveCapacity(array.count)
        for element in array {
            do throws(WireFault) {
                elements.append(try read(WireValue(element)))
            } catch {
                throw error.inside("\(name)[\(elements.count)]")
            }
        }
        return elements
    }
}

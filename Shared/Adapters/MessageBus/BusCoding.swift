import CDBus

/// Reads and writes the values of libdbus's messages. libdbus has checked their form and depth.
enum BusCoding {
    static func append(_ argument: BusArgument, _ writer: inout DBusMessageIter) {
        switch argument {
        case .text(let text): append(text, BUS_TYPE_STRING, &writer)
        case .options(let options):
            var array = DBusMessageIter()
            dbus_message_iter_open_container(&writer, BUS_TYPE_ARRAY, "{sv}", &array)
            for (name, value) in options.sorted(by: { $0.key < $1.key }) {
                append(name, value, &array)
            }
            dbus_message_iter_close_container(&writer, &array)
        }
    }

    private static func append(
        _ name: String, _ value: BusValue, _ array: inout DBusMessageIter
    ) {
        var entry = DBusMessageIter()
        dbus_message_iter_open_container(&array, BUS_TYPE_DICT_ENTRY, nil, &entry)
        append(name, BUS_TYPE_STRING, &entry)
        var variant = DBusMessageIter()
        if case .bool(let isSet) = value {
            dbus_message_iter_open_container(&entry, BUS_TYPE_VARIANT, "b", &variant)
            var number: dbus_bool_t = isSet ? 1 : 0
            dbus_message_iter_append_basic(&variant, BUS_TYPE_BOOLEAN, &number)
        } else {
            dbus_message_iter_open_container(&entry, BUS_TYPE_VARIANT, "s", &variant)
            append(value.text ?? "", BUS_TYPE_STRING, &variant)
        }
        dbus_message_iter_close_container(&entry, &variant)
        dbus_message_iter_close_container(&array, &entry)
    }

    private static func append(_ text: String, _ type: Int32, _ writer: inout DBusMessageIter) {
        text.withCString { start in
            var start: UnsafePointer<CChar>? = start
            _ = dbus_message_iter_append_basic(&writer, type, &start)
        }
    }

    static func read(_ reader: inout DBusMessageIter) -> BusValue {
        switch dbus_message_iter_get_arg_type(&reader) {
        case BUS_TYPE_BOOLEAN: return .bool(basic(&reader, dbus_bool_t(0)) != 0)
        case BUS_TYPE_BYTE: return .integer(Int64(basic(&reader, UInt8(0))))
        case BUS_TYPE_INT16: return .integer(Int64(basic(&reader, Int16(0))))
        case BUS_TYPE_UINT16: return .integer(Int64(basic(&reader, UInt16(0))))
        case BUS_TYPE_INT32: return .integer(Int64(basic(&reader, Int32(0))))
        case BUS_TYPE_UINT32: return .integer(Int64(basic(&reader, UInt32(0))))
        case BUS_TYPE_INT64: return .integer(basic(&reader, Int64(0)))
        case BUS_TYPE_UINT64: return .integer(Int64(clamping: basic(&reader, UInt64(0))))
        case BUS_TYPE_DOUBLE: return .double(basic(&reader, 0.0))
        case BUS_TYPE_STRING, BUS_TYPE_OBJECT_PATH, BUS_TYPE_SIGNATURE:
            let none: UnsafePointer<CChar>? = nil
            return .text(basic(&reader, none).map { String(cString: $0) } ?? "")
        case BUS_TYPE_VARIANT: return elements(&reader).first ?? .array([])
        case BUS_TYPE_STRUCT, BUS_TYPE_DICT_ENTRY: return .structure(elements(&reader))
        case BUS_TYPE_ARRAY: return array(&reader)
        default: return .array([])
        }
    }

    private static func array(_ reader: inout DBusMessageIter) -> BusValue {
        let type = dbus_message_iter_get_element_type(&reader)
        let values = elements(&reader)
        switch type {
        case BUS_TYPE_BYTE:
            return .bytes(values.compactMap { $0.integer.map { UInt8(truncatingIfNeeded: $0) } })
        case BUS_TYPE_DICT_ENTRY:
            var dictionary: [String: BusValue] = [:]
            for case .structure(let pair) in values where pair.count == 2 {
                dictionary[pair[0].text ?? pair[0].integer.map { "\($0)" } ?? ""] = pair[1]
            }
            return .dictionary(dictionary)
        default: return .array(values)
        }
    }

    private static func elements(_ reader: inout DBusMessageIter) -> [BusValue] {
        var inside = DBusMessageIter()
        dbus_message_iter_recurse(&reader, &inside)
        var values: [BusValue] = []
        while dbus_message_iter_get_arg_type(&inside) != BUS_TYPE_INVALID {
            values.append(read(&inside))
            dbus_message_iter_next(&inside)
        }
        return values
    }

    private static func basic<Value: BitwiseCopyable>(
        _ reader: inout DBusMessageIter, _ start: Value
    ) -> Value {
        var value = start
        dbus_message_iter_get_basic(&reader, &value)
        return value
    }
}

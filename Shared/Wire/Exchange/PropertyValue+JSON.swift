internal import Events
public import JSON
public import SiteExchange

/// The limits of one imported file.
public enum ImportLimits {
    /// Bytes of an unpacked file, and of all files of an archive together.
    public static let bytes = 64 << 20
    /// The most values (numbers, texts, lists and objects). Each needs memory, however few bytes it
    /// has in the file.
    public static let values = 8_000_000
    /// The most files of an archive.
    public static let files = 1_000
}

extension PropertyValue {
    /// Reads the value with all values inside it.
    ///
    /// - Parameter budget: how many more values may be read; counted down.
    init(_ json: JSONValue, budget: inout Int) throws(WireFault) {
        budget -= 1
        guard budget >= 0 else {
            throw WireFault(.bodyTooLarge, "more than \(ImportLimits.values) values")
        }
        if let object = json.object {
            var members: [Member] = []
            members.reserveCapacity(min(object.count, max(0, budget)))
            for member in object {
                members.append(
                    Member(
                        member.name.string, try PropertyValue(member.value, budget: &budget)))
            }
            self = .members(members)
        } else if let array = json.array {
            var list: [PropertyValue] = []
            list.reserveCapacity(min(array.count, max(0, budget)))
            for element in array {
                list.append(try PropertyValue(element, budget: &budget))
            }
            self = .list(list)
        } else if let text = json.string {
            self = .text(text)
        } else if let bool = json.bool {
            self = .bool(bool)
        } else if let number = json.double {
            // A whole number that a double can't hold exactly is kept as an integer.
            self = json.int.map(PropertyValue.integer) ?? PropertyValue(number)
            if number == 0 { self = PropertyValue(number) }
        } else {
            self = .null
        }
    }

    public init(json bytes: [UInt8]) throws(WireFault) {
        var budget = ImportLimits.values
        self = try withJSON(bytes) { (root) throws(WireFault) in
            try PropertyValue(root, budget: &budget)
        }
    }

    public func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let bool): writer.bool(bool)
        case .integer(let integer): writer.integer(integer)
        case .number(let number): writer.number(number)
        case .text(let text): writer.string(text)
        case .list(let list):
            writer.beginArray()
            for element in list { element.write(to: &writer) }
            writer.endArray()
        case .members(let members):
            writer.beginObject()
            for member in members {
                writer.name(member.name)
                member.value.write(to: &writer)
            }
            writer.endObject()
        }
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 65_536)
        write(to: &writer)
        return writer.finish()
    }
}

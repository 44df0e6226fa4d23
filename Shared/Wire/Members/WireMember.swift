internal import Events
internal import Geometry
internal import JSON
internal import Site

/// A value that is a member of a JSON object, or an element of a list.
protocol WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault)
    func write(to writer: inout JSONWriter)
    /// Whether the value is empty, so that an optional member is left out.
    var isAbsent: Bool { get }
}

extension WireMember {
    var isAbsent: Bool { false }
}

/// A value that is a JSON object, and lists its members.
protocol WireObject: WireMember {
    /// An empty value, which reading fills.
    static var blank: Self { get }
    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault)
}

extension WireObject {
    init(reading value: WireValue, _ rule: MemberRule = .any) throws(WireFault) {
        self = try value.inside { (value) throws(WireFault) in
            var fields = try FieldReader(value)
            var object = Self.blank
            try object.members(&fields)
            return object
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    func writeMembers(to writer: inout JSONWriter) {
        var copy = self
        copy.members(&writer)
    }
}

extension WireValue {
    /// Runs `read` on the value without its name. The name goes to the front of a fault's path
    /// instead.
    func inside<Value>(
        _ read: (WireValue) throws(WireFault) -> Value
    ) throws(WireFault) -> Value {
        do throws(WireFault) {
            return try read(WireValue(json))
        } catch {
            throw name.utf8CodeUnitCount > 0 ? error.inside("\(name)") : error
        }
    }
}

// MARK: Lists and optional values

extension Optional: WireMember where Wrapped: WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        self = try Wrapped(reading: value, rule)
    }

    func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }

    var isAbsent: Bool { self == nil }
}

extension Array: WireMember where Element: WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        self = try value.elements { (value) throws(WireFault) in
            try Element(reading: value, rule)
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self { element.write(to: &writer) }
        writer.endArray()
    }

    var isAbsent: Bool { isEmpty }
}

// MARK: Plain values

extension String: WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        self = try value.text(maximumBytes: rule.mostBytes)
    }

    func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Int: WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        self = try value.integer(in: rule.integers)
    }

    func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Double: WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        guard let range = rule.numbers else {
            self = try value.number()
            return
        }
        self = try value.number(in: range, rule.code ?? .fieldOutOfRange)
    }

    func write(to writer: inout JSONWriter) { writer.number(self) }
}

extension Bool: WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        self = try value.bool()
    }

    func write(to writer: inout JSONWriter) { writer.bool(self) }
    var isAbsent: Bool { !self }
}

extension WireMember where Self: RawRepresentable<String> & CaseIterable {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        self = try value.choice()
    }

    func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}

extension Accessibility: WireMember {
    var isAbsent: Bool { self == .unknown }
}

// MARK: Ids and times

extension WireMember where Self: TextIdentifier {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        self = try value.identifier()
    }

    func write(to writer: inout JSONWriter) { writer.string(text) }
}

extension BuildingID: WireMember {}
extension FloorID: WireMember {}
extension RoomID: WireMember {}
extension LocationID: WireMember {}

extension HardwareAddress: WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        self = try value.address(rule.code ?? .addressMalformed)
    }

    func write(to writer: inout JSONWriter) { writer.string(text) }
}

extension EventID: WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        self = try value.eventID(rule.code ?? .idMalformed)
    }

    func write(to writer: inout JSONWriter) { writer.string(description) }
}

// MARK: Shapes

extension MemberForm where Self: ~Copyable {
    /// The members `x` and `y`, metres.
    mutating func point(_ point: inout Point) throws(Fault) {
        try required("x", &point.x, .coordinate)
        try required("y", &point.y, .coordinate)
    }
}

/// A corner: `[x, y]`.
extension Point: WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        var (point, count) = (Point(x: 0, y: 0), 0)
        guard let array = value.json.array else {
            throw value.fault(.fieldWrongType, "an array is expected")
        }
        for element in array {
            do throws(WireFault) {
                let coordinate = try WireValue(element).coordinate()
                if count == 0 { point.x = coordinate } else { point.y = coordinate }
            } catch {
                throw error.inside("\(value.name)[\(count)]")
            }
            count += 1
        }
        guard count == 2 else {
            throw value.fault(.fieldOutOfRange, "a corner is two numbers: x and y")
        }
        self = point
    }

    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        writer.number(x)
        writer.number(y)
        writer.endArray()
    }
}

extension Ring: WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        self.init(try [Point](reading: value, rule))
    }

    func write(to writer: inout JSONWriter) { corners.write(to: &writer) }
    var isAbsent: Bool { isEmpty }
}

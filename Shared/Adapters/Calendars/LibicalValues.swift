import CICal

/// A component in libical's memory, which it frees.
final class LibicalComponent {
    let pointer: OpaquePointer

    /// libical ends the process on errors unless it is told not to; the setting is global, and set
    /// once.
    private static let isPrepared: Bool = {
        icalerror_set_errors_are_fatal(0)
        return true
    }()

    /// - Parameter text: lines in UTF-8 without zero bytes, with BEGIN and END.
    init?(_ text: [UInt8]) {
        guard Self.isPrepared else { return nil }
        let parsed = (text + [0]).withUnsafeBytes { bytes in
            icalparser_parse_string(bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
        guard let parsed else { return nil }
        pointer = parsed
    }

    deinit { icalcomponent_free(pointer) }

    /// The components directly inside.
    var parts: [OpaquePointer] {
        var parts: [OpaquePointer] = []
        var part = icalcomponent_get_first_component(pointer, ICAL_ANY_COMPONENT)
        while let found = part {
            parts.append(found)
            part = icalcomponent_get_next_component(pointer, ICAL_ANY_COMPONENT)
        }
        return parts
    }

    static func properties(of component: OpaquePointer) -> [OpaquePointer] {
        var properties: [OpaquePointer] = []
        var property = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY)
        while let found = property {
            properties.append(found)
            property = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)
        }
        return properties
    }
}

/// Reads values of libical's properties. All are nil where the property has no such value.
enum LibicalValue {
    static func zoneName(_ property: OpaquePointer) -> String? {
        guard let parameter = icalproperty_get_first_parameter(property, ICAL_TZID_PARAMETER),
            let name = icalparameter_get_tzid(parameter)
        else { return nil }
        return String(cString: name)
    }

    static func time(_ property: OpaquePointer) -> ReadTime? {
        guard let value = icalproperty_get_value(property) else { return nil }
        let kind = icalvalue_isa(value)
        guard kind == ICAL_DATE_VALUE || kind == ICAL_DATETIME_VALUE else { return nil }
        let time =
            kind == ICAL_DATE_VALUE ? icalvalue_get_date(value) : icalvalue_get_datetime(value)
        return ReadTime.valid(time, zoneName: zoneName(property))
    }

    /// The longest duration in days: a century.
    private static let mostDays: Int64 = 36_525

    static func duration(_ duration: icaldurationtype) -> NominalDuration? {
        guard icaldurationtype_is_bad_duration(duration) == 0 else { return nil }
        let sign: Int64 = duration.is_neg != 0 ? -1 : 1
        let days = Int64(duration.weeks) * 7 + Int64(duration.days)
        let seconds =
            Int64(duration.hours) * 3_600 + Int64(duration.minutes) * 60
            + Int64(duration.seconds)
        // libical takes any number, and the microseconds of 16 million weeks are too many.
        guard days <= mostDays, seconds <= mostDays * 86_400 else { return nil }
        return NominalDuration(days: sign * days, seconds: sign * seconds)
    }

    static func text(_ text: UnsafePointer<CChar>?) -> String? {
        text.map { String(cString: $0) }
    }
}

/// Days that keep the wall clock, and seconds that don't.
struct NominalDuration: Hashable {
    var days: Int64 = 0
    var seconds: Int64 = 0
}

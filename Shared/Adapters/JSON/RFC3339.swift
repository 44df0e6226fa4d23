/// Times in JSON: RFC 3339, read with any offset and written in UTC with milliseconds.
///
/// Days are counted in the proleptic Gregorian calendar by the arithmetic of Howard Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms" (days_from_civil, civil_from_days).
public enum RFC3339 {
    /// The length of a written time in bytes.
    public static let byteCount = 24
    private static let microsecondsPerDay: Int64 = 86_400_000_000
    /// The first and the last time: 0000-01-01T00:00:00Z and the last microsecond of 9999.
    private static let earliest: Int64 = -62_167_219_200_000_000
    private static let latest: Int64 = 253_402_300_799_999_999
    /// The times that can be written, in microseconds since 1970, UTC: the years 0 to 9999.
    public static let moments = earliest...latest

    /// The time as text, such as 2026-11-21T08:00:00.000Z.
    public static func text(microseconds: Int64) -> String {
        String(unsafeUninitializedCapacity: byteCount) { buffer in
            write(microseconds, to: buffer)
            return byteCount
        }
    }

    /// Writes `byteCount` bytes. Digits finer than a millisecond are cut off, towards the past.
    public static func write(_ microseconds: Int64, to buffer: UnsafeMutableBufferPointer<UInt8>) {
        let moment = min(max(microseconds, earliest), latest)
        var days = moment / microsecondsPerDay
        var rest = moment % microsecondsPerDay
        if rest < 0 {
            rest += microsecondsPerDay
            days -= 1
        }
        let date = civil(fromDays: days)
        put(date.year, digits: 4, at: 0, in: buffer)
        buffer[4] = UInt8(ascii: "-")
        put(date.month, digits: 2, at: 5, in: buffer)
        buffer[7] = UInt8(ascii: "-")
        put(date.day, digits: 2, at: 8, in: buffer)
        buffer[10] = UInt8(ascii: "T")
        put(rest / 3_600_000_000, digits: 2, at: 11, in: buffer)
        buffer[13] = UInt8(ascii: ":")
        put(rest / 60_000_000 % 60, digits: 2, at: 14, in: buffer)
        buffer[16] = UInt8(ascii: ":")
        put(rest / 1_000_000 % 60, digits: 2, at: 17, in: buffer)
        buffer[19] = UInt8(ascii: ".")
        put(rest / 1_000 % 1_000, digits: 3, at: 20, in: buffer)
        buffer[23] = UInt8(ascii: "Z")
    }

    /// Reads a time as microseconds since 1970, UTC. Nil for text that is not an RFC 3339
    /// date-time.
    public static func microseconds(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { microseconds(utf8: $0) }
    }

    /// Reads a time. It accepts `T`, `t` or a space between date and time, and 0 to 9 digits of
    /// fraction (cut to six). The second 60 at a minute's end is read as the next minute's first.
    public static func microseconds(utf8 bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
            let year = number(bytes, at: 0, digits: 4), let month = number(bytes, at: 5, digits: 2),
            let day = number(bytes, at: 8, digits: 2), let hour = number(bytes, at: 11, digits: 2),
            let minute = number(bytes, at: 14, digits: 2),
            let second = number(bytes, at: 17, digits: 2),
            (1...12).contains(month), (1...daysInMonth(month, of: year)).contains(day),
            hour <= 23, minute <= 59, second <= 60
        else { return nil }
        var position = 19
        guard let fraction = fraction(bytes, at: &position),
            let offset = offsetMinutes(bytes, at: position)
        else { return nil }
        let seconds =
            days(year: year, month: month, day: day) * 86_400 + hour * 3_600
            + (minute - offset) * 60 + second
        return seconds * 1_000_000 + fraction
    }

    /// The microseconds of a fraction such as `.123`. 0 without a point; nil without digits after
    /// the point or with more than 9.
    private static func fraction(
        _ bytes: UnsafeBufferPointer<UInt8>, at position: inout Int
    ) -> Int64? {
        guard bytes[position] == UInt8(ascii: ".") else { return 0 }
        position += 1
        var value: Int64 = 0
        var digits = 0
        while position < bytes.count, case let digit = bytes[position] &- 0x30, digit < 10 {
            if digits < 6 { value = value * 10 + Int64(digit) }
            digits += 1
            position += 1
        }
        guard (1...9).contains(digits), position < bytes.count else { return nil }
        for _ in min(digits, 6)..<6 { value *= 10 }
        return value
    }

    /// The offset in minutes from `Z`, `z` or `+hh:mm`. Nil when anything follows it.
    private static func offsetMinutes(
        _ bytes: UnsafeBufferPointer<UInt8>, at position: Int
    ) -> Int64? {
        if bytes[position] | 0x20 == UInt8(ascii: "z") {
            return position + 1 == bytes.count ? 0 : nil
        }
        guard position + 6 == bytes.count, bytes[position + 3] == UInt8(ascii: ":"),
            let hours = number(bytes, at: position + 1, digits: 2), hours <= 23,
            let minutes = number(bytes, at: position + 4, digits: 2), minutes <= 59
        else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    private static func number(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, digits: Int
    ) -> Int64? {
        var value: Int64 = 0
        for index in start..<start + digits {
            let digit = bytes[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }

    private static func put(
        _ value: Int64, digits: Int, at start: Int, in buffer: UnsafeMutableBufferPointer<UInt8>
    ) {
        var rest = value
        for index in (start..<start + digits).reversed() {
            buffer[index] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
            rest /= 10
        }
    }

    private static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01. Years begin in March here, so that the leap day is the last day.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
